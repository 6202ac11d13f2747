//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScheduleMutants.h"

#include "mlir/IR/Builders.h"

using namespace fly;
using mlir::Builder;
using mlir::IntegerAttr;
using mlir::Operation;

namespace {

// Steps, waits and barriers, phases opened, in order. A clone of the kernel has
// the same list.
std::vector<Operation *> listSteps(KernelOp kernel) {
  std::vector<Operation *> steps;
  kernel->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    if (llvm::isa<CopyOp, LoadOp, WriteOp, ReadOp, LoadScalesOp, MmaOp, WaitOp,
                  BarrierOp>(op))
      steps.push_back(op);
  });
  return steps;
}

Operation *regionOf(Operation *op) {
  while (!llvm::isa<PrologueOp, LoopOp, DrainOp>(op))
    op = op->getParentOp();
  return op;
}

class Maker {
public:
  explicit Maker(KernelOp kernel) : steps(listSteps(kernel)) {
    for (auto slot : kernel.getOps<SlotOp>())
      slots.push_back(slot.getResult());
    for (auto fragment : kernel.getOps<FragmentOp>())
      fragments.push_back(fragment.getResult());
    for (auto registers : kernel.getOps<StagingOp>())
      staging.push_back(registers.getResult());
  }

  std::vector<Mutant> make() {
    for (index = 0; index < steps.size(); ++index) {
      Operation *op = steps[index];
      add("remove " + op->getName().stripDialect().str(),
          [](Operation *op, Operation *) { op->erase(); });
      if (auto wait = llvm::dyn_cast<WaitOp>(op))
        changeCounts(wait);
      else if (!llvm::isa<BarrierOp>(op))
        changeStep(op);
      move(op);
      moveByPhase(op);
      changeMany(op);
      addBefore();
    }
    return std::move(mutants);
  }

private:
  void add(std::string kind, Mutant::Change change) {
    std::string at;
    llvm::raw_string_ostream stream(at);
    stream << regionOf(steps[index])->getName().stripDialect() << " step "
           << index << ": " << *steps[index];
    mutants.push_back({std::move(kind), at, index, std::move(change)});
  }

  void addAlone(std::string kind, std::function<void(Operation *)> change) {
    add(std::move(kind), [change](Operation *op, Operation *) { change(op); });
    mutants.back().alone = true;
  }

  void addNumber(std::string kind, llvm::StringRef name, int64_t value) {
    add(std::move(kind),
        [name = name.str(), value](Operation *op, Operation *) {
          op->setAttr(name, Builder(op->getContext()).getI64IntegerAttr(value));
        });
  }

  void changeCounts(WaitOp wait) {
    for (auto [name, count, limit] :
         {std::tuple("vmcnt", wait.getVmcnt(), 63),
          std::tuple("lgkmcnt", wait.getLgkmcnt(), 15)}) {
      if (!count)
        continue;
      if (wait.getVmcnt() && wait.getLgkmcnt())
        add("remove counter", [name = name](Operation *op, Operation *) {
          op->removeAttr(name);
        });
      if (*count < limit)
        addNumber("raise count", name, *count + 1);
      if (*count > 0)
        addNumber("lower count", name, *count - 1);
    }
  }

  void changeStep(Operation *op) {
    int64_t ahead = op->getAttrOfType<IntegerAttr>("ahead").getInt();
    addNumber("one K tile later", "ahead", ahead + 1);
    if (ahead > 0)
      addNumber("one K tile earlier", "ahead", ahead - 1);
    if (auto stage = op->getAttrOfType<IntegerAttr>("stage"))
      addNumber("other stage", "stage", 1 - stage.getInt());
    if (op->hasAttr("guarded"))
      add("remove guard",
          [](Operation *op, Operation *) { op->removeAttr("guarded"); });
    else if (llvm::isa<CopyOp, LoadOp, LoadScalesOp>(op))
      add("add guard", [](Operation *op, Operation *) {
        op->setAttr("guarded", mlir::UnitAttr::get(op->getContext()));
      });
    if (llvm::isa<CopyOp>(op))
      changeHandle<SlotOp>("other slot", op, slots);
    if (llvm::isa<LoadOp, WriteOp>(op))
      changeHandle<StagingOp>("other staging", op, staging);
    if (llvm::isa<ReadOp>(op))
      changeHandle<FragmentOp>("other fragment", op, fragments);
    add("repeat",
        [](Operation *op, Operation *) { mlir::OpBuilder(op).clone(*op); });
  }

  // The clone's handles are found by their places in the lists.
  template <typename DeclarationOp>
  void changeHandle(std::string kind, Operation *op,
                    const std::vector<mlir::Value> &handles) {
    for (auto [place, handle] : llvm::enumerate(handles))
      if (handle != op->getOperand(0) &&
          handle.getType() == op->getOperand(0).getType())
        add(kind, [place = place](Operation *op, Operation *) {
          auto kernel = op->getParentOfType<KernelOp>();
          size_t i = 0;
          for (auto other : kernel.getOps<DeclarationOp>())
            if (i++ == place)
              op->setOperand(0, other.getResult());
        });
  }

  // Past the step before it in the same region, which may be in another phase.
  void move(Operation *op) {
    if (index == 0 || regionOf(steps[index - 1]) != regionOf(op))
      return;
    // An MFMA may not be in a memory phase.
    Operation *previous = steps[index - 1];
    auto phase = llvm::dyn_cast<PhaseOp>(previous->getParentOp());
    if (llvm::isa<MmaOp>(op) && phase && phase.getKind() == PhaseKind::Memory)
      return;
    bool derived = llvm::isa<WaitOp, BarrierOp>(op) ||
                   llvm::isa<WaitOp, BarrierOp>(previous);
    add(derived ? "move past wait or barrier" : "swap steps",
        [](Operation *op, Operation *previous) { op->moveBefore(previous); });
  }

  // To the end of the phase before or behind.
  void moveByPhase(Operation *op) {
    if (!llvm::isa<CopyOp, BarrierOp>(op))
      return;
    Operation *phase = op->getParentOp();
    std::string what = op->getName().stripDialect().str();
    auto isPhase = [](Operation *other) {
      return llvm::isa_and_nonnull<PhaseOp>(other);
    };
    auto moveInto = [](Operation *op, Operation *phase) {
      mlir::Block &block = phase->getRegion(0).front();
      op->moveBefore(&block, block.end());
    };
    if (isPhase(phase) && isPhase(phase->getPrevNode()))
      add(what + " a phase earlier", [=](Operation *op, Operation *) {
        moveInto(op, op->getParentOp()->getPrevNode());
      });
    if (isPhase(phase) && isPhase(phase->getNextNode()))
      add(what + " a phase later", [=](Operation *op, Operation *) {
        moveInto(op, op->getParentOp()->getNextNode());
      });
  }

  void changeMany(Operation *op) {
    if (llvm::isa<CopyOp>(op)) {
      addAlone("swap slots with the next copy", swapSlots);
      addAlone("swap stages of a slot", swapStages);
    }
    if (llvm::isa<DrainOp>(regionOf(op)))
      addAlone("shorten drain", cutFrom);
    auto barrier = llvm::dyn_cast<BarrierOp>(op);
    if (!barrier || !barrier.getGroup())
      return;
    addNumber("barrier of the other group", "group", 1 - *barrier.getGroup());
    if (llvm::isa<PrologueOp>(regionOf(op)))
      addAlone("remove rotation", removeRotation);
  }

  static std::vector<Operation *> stepsOfRegion(Operation *op) {
    std::vector<Operation *> steps = listSteps(op->getParentOfType<KernelOp>());
    llvm::erase_if(steps, [region = regionOf(op)](Operation *other) {
      return regionOf(other) != region;
    });
    return steps;
  }

  // With the next copy of the region into a slot of that shape.
  static void swapSlots(Operation *op) {
    std::vector<Operation *> steps = stepsOfRegion(op);
    mlir::Value slot = op->getOperand(0);
    for (auto it = llvm::find(steps, op) + 1; it != steps.end(); ++it) {
      mlir::Value other =
          (*it)->getOperands().empty() ? mlir::Value() : (*it)->getOperand(0);
      if (llvm::isa<CopyOp>(*it) && other != slot &&
          other.getType() == slot.getType()) {
        op->setOperand(0, other);
        (*it)->setOperand(0, slot);
        return;
      }
    }
  }

  // All copies and reads of the region.
  static void swapStages(Operation *op) {
    Operation *slot = llvm::cast<CopyOp>(op).getSlotOp();
    for (Operation *step : stepsOfRegion(op)) {
      auto copy = llvm::dyn_cast<CopyOp>(step);
      auto read = llvm::dyn_cast<ReadOp>(step);
      if ((copy && copy.getSlotOp() == slot) ||
          (read && read.getSlotOp() == slot)) {
        int64_t stage = step->getAttrOfType<IntegerAttr>("stage").getInt();
        step->setAttr("stage",
                      Builder(op->getContext()).getI64IntegerAttr(1 - stage));
      }
    }
  }

  static void cutFrom(Operation *op) {
    std::vector<Operation *> steps = stepsOfRegion(op);
    for (auto it = llvm::find(steps, op); it != steps.end(); ++it)
      (*it)->erase();
  }

  // Both groups run in step.
  static void removeRotation(Operation *op) {
    auto kernel = op->getParentOfType<KernelOp>();
    for (auto loop : kernel.getOps<LoopOp>())
      loop.setRotate(false);
    for (Operation *step : listSteps(kernel))
      if (auto barrier = llvm::dyn_cast<BarrierOp>(step))
        if (barrier.getGroup())
          step->erase();
  }

  void addBefore() {
    add("add barrier", [](Operation *op, Operation *) {
      mlir::OpBuilder builder(op);
      BarrierOp::create(builder, op->getLoc(), /*group=*/mlir::IntegerAttr());
    });
    add("add full wait", [](Operation *op, Operation *) {
      mlir::OpBuilder builder(op);
      IntegerAttr zero = builder.getI64IntegerAttr(0);
      WaitOp::create(builder, op->getLoc(), zero, zero);
    });
  }

  std::vector<Operation *> steps;
  std::vector<mlir::Value> slots, fragments, staging;
  std::vector<Mutant> mutants;
  size_t index = 0;
};

} // namespace

void applyMutants(KernelOp clone, llvm::ArrayRef<const Mutant *> mutants) {
  std::vector<Operation *> steps = listSteps(clone);
  for (const Mutant *mutant : mutants)
    mutant->change(steps[mutant->index],
                   mutant->index ? steps[mutant->index - 1] : nullptr);
}

std::vector<Mutant> makeMutants(KernelOp kernel) {
  return Maker(kernel).make();
}
