# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Which accesses of a traced workgroup nothing orders: a judge of mutants.

This is a second opinion on the emulator's detector and shares no code with it.
Its only input is what `fly-emu --trace` prints of every wave of a workgroup of
the intact kernel: the instructions as text and the LDS addresses of their
accesses, of stores with the bytes. From that it answers what would be unordered
with one wait or barrier changed. The rules are those of the ISA manuals:

- Vector memory (vmcnt) and LDS (lgkmcnt) return in order, scalar loads
  (lgkmcnt) in any order. A wait for n proves that all but the last n of the
  ordered ones are back, and of the scalar ones nothing unless n is 0. A counter
  that is full holds up the next access.
- A register that a load in flight will fill may not be touched; another load
  of the same kind may fill it again.
- An access in LDS is before one of another wave if it was proved to be back
  when its wave arrived at a barrier that the other wave passed before it issued
  its own. Within a wave LDS instructions are in order; a direct copy is ordered
  with them by a wait only. Stores of the same bytes need no order.
- All waves of a workgroup meet the same number of barriers: the hardware lets
  the others pass when one has ended, but no language does.

Not judged: the order of accesses to global memory, addresses out of bounds, and
FLAT instructions, which are refused.
"""

import re

LINE = re.compile(r"^0x([0-9a-f]+) '([^']*)'")
ACCESS = re.compile(r"^  (reads|writes|updates) LDS, (\d+) bytes at(.*)$")
REGISTER = re.compile(r"\b([vsa])(\d+)\b|\b([vsa])\[(\d+):(\d+)\]")
WAIT = re.compile(r"(vmcnt|lgkmcnt)\((\d+)\)")
FULL = {"vmcnt": 63, "lgkmcnt": 15}


def registers(text):
    found = set()
    for m in REGISTER.finditer(text):
        if m[1]:
            found.add((m[1], int(m[2])))
        else:
            found.update((m[3], i) for i in range(int(m[4]), int(m[5]) + 1))
    return found


def packed_registers(operands):
    """What packed f32 arithmetic touches: of each source pair the dword that
    op_sel picks for the low result and the one that op_sel_hi picks for the
    high one (CDNA3 ISA manual, VOP3P)."""
    first, *sources = operands.split(" op_sel")[0].split(" neg_")[0].split(", ")
    picks = {"op_sel": [0] * len(sources), "op_sel_hi": [1] * len(sources)}
    for name, bits in re.findall(r"\b(op_sel|op_sel_hi):\[([01,]+)\]", operands):
        picks[name] = [int(bit) for bit in bits.split(",")]
    found = registers(first)
    for i, source in enumerate(sources):
        pair = sorted(registers(source))
        halves = {picks["op_sel"][i], picks["op_sel_hi"][i]}
        found.update(pair[half] for half in halves if half < len(pair))
    return found


class Event:
    """One executed instruction."""

    def __init__(self, address, text):
        self.address, self.text = address, text
        self.name, _, self.operands = text.partition(" ")
        self.queue = None  # vmcnt or lgkmcnt
        self.is_scalar_load = self.name.startswith(("s_load", "s_buffer_load"))
        self.to_lds = bool(re.search(r"\blds$", text)) or "_load_lds_" in self.name
        if self.name.startswith(("buffer_", "global_", "scratch_")):
            self.queue = "vmcnt" if "inv" not in self.name else None
        elif self.name.startswith("ds_") or self.is_scalar_load:
            self.queue = "lgkmcnt"
        elif self.name.startswith("flat_"):
            raise ValueError("flat accesses are not judged: " + text)
        first, _, rest = self.operands.partition(",")
        self.touched = registers(self.operands)
        if re.match(r"v_pk_(add|mul|fma)_f32", self.name):
            self.touched = packed_registers(self.operands)
        self.fills = set()
        if self.queue and not self.to_lds and self.has_result():
            self.fills = registers(first)
        self.others = registers(rest) if self.fills else self.touched
        self.waits = {k: int(n) for k, n in WAIT.findall(text)}
        if self.name != "s_waitcnt":
            self.waits = {}
        self.use, self.bytes = None, 0  # in LDS: reads, writes, updates; bit set
        self.blocks = set()  # of 256 bytes of LDS in which it touches any
        self.stored = {}  # address of each byte that a store writes: value

    def has_result(self):
        if self.name.startswith("ds_"):
            return bool(re.search("read|rtn|permute|swizzle|append|cons", self.name))
        if "atomic" in self.name:
            return "sc0" in self.operands.split()
        return "store" not in self.name


def parse(lines):
    """The events of one wave."""
    events = []
    for line in lines:
        m = LINE.match(line)
        if m:
            events.append(Event(int(m[1], 16), m[2]))
            continue
        m = ACCESS.match(line)
        if m:
            event, width = events[-1], (1 << int(m[2])) - 1
            event.use = m[1]
            for place in m[3].split():
                text, _, stored = place.partition("=")
                at = int(text)
                event.bytes |= width << at
                event.blocks.update((at // 256, (at + int(m[2]) - 1) // 256))
                for i, value in enumerate(bytes.fromhex(stored)):
                    event.stored[at + i] = value
    return events


class Access:
    """An access in LDS, as it went in one wave."""

    def __init__(self, wave, event, issued, order):
        self.wave, self.event = wave, event
        self.issued = issued  # barriers passed before it
        self.order = order  # position in its wave
        self.back = None  # barriers passed when it was proved to be back
        self.back_order = None


class WaveRun:
    """What one wave does with some waits and barriers changed.

    change maps an address to the waits that stand there instead, or to None if
    the instruction is gone.
    """

    def __init__(self, wave, events, change):
        self.queues = {"vmcnt": [], "lgkmcnt": []}
        self.scalars = []
        self.accesses = []
        self.barriers = []  # the address of each that it passed
        self.conflict = None  # the load and its first early use
        # Of every counted event, by its place in the wave: the place and the
        # address of the wait that proves it to be back.
        self.landed = {}
        for order, event in enumerate(events):
            waits = change.get(event.address, event.waits) or {}
            if event.name == "s_barrier" and event.address in change:
                continue
            if self.conflict is None and (event.touched or event.fills):
                self.find_conflict(event)
            for name, limit in waits.items():
                self.wait(name, limit, order, event)
            if event.name == "s_barrier":
                self.barriers.append(event.address)
            if event.queue:
                self.issue(wave, order, event)

    def find_conflict(self, event):
        for name, queue in self.queues.items():
            for _, other, _ in queue:
                again = event.queue == name and not event.is_scalar_load
                if other.fills & (event.others if again else event.touched):
                    self.conflict = (other, event)
        for _, other, _ in self.scalars:
            if other.fills & event.touched:
                self.conflict = (other, event)

    def wait(self, name, limit, order, event):
        queue = self.queues[name]
        while len(queue) > limit:
            self.land(queue.pop(0), order, event)
        if name == "lgkmcnt" and limit == 0:
            while self.scalars:
                self.land(self.scalars.pop(), order, event)

    def land(self, entry, order, event):
        place, _, access = entry
        self.landed[place] = (order, event.address)
        if access:
            access.back, access.back_order = len(self.barriers), order

    def issue(self, wave, order, event):
        if event.is_scalar_load:
            self.scalars.append((order, event, None))
            return
        access = None
        if event.use and event.bytes:
            access = Access(wave, event, len(self.barriers), order)
            self.accesses.append(access)
        queue = self.queues[event.queue]
        queue.append((order, event, access))
        if len(queue) > FULL[event.queue]:
            self.land(queue.pop(0), order, event)


def is_ordered(a, b):
    """Whether a is before b."""
    if a.wave != b.wave:
        return a.back is not None and a.back < b.issued
    if a.order > b.order:
        return False
    if a.event.queue == b.event.queue:
        return True
    return a.back_order is not None and a.back_order < b.order


def store_the_same(a, b):
    """Whether two stores leave the same in the bytes that both write."""
    if not a.stored or not b.stored:
        return False
    return all(b.stored.get(at, value) == value for at, value in a.stored.items())


def order_matters(a, b):
    """Whether the order of two accesses, which are events, can matter."""
    if a.use == b.use and (a.use != "writes" or store_the_same(a, b)):
        return False
    return bool(a.bytes & b.bytes)


def conflicting_pairs(accesses):
    """Pairs by index whose order matters and is not that of one queue."""
    pairs, blocks = set(), {}
    for i, a in enumerate(accesses):
        for block in a.event.blocks:
            others = blocks.setdefault(block, [])
            for j in others:
                b = accesses[j]
                if a.wave != b.wave or a.event.queue != b.event.queue:
                    if (j, i) not in pairs and order_matters(a.event, b.event):
                        pairs.add((j, i))
            others.append(i)
    return sorted(pairs)


class Judge:
    """Of one workgroup: waves is a list of lists of trace lines."""

    def __init__(self, waves):
        self.waves = [parse(lines) for lines in waves]
        self.intact = self.follow({})
        self.pairs = conflicting_pairs(all_accesses(self.intact))

    def follow(self, change):
        return [WaveRun(i, events, change) for i, events in enumerate(self.waves)]

    def first_fault(self, change):
        """What is unordered with the change, as a text, or None."""
        runs = self.follow(change)
        for wave, run in enumerate(runs):
            if run.conflict:
                load, use = run.conflict
                return f"wave {wave}: {use.text!r} touches what {load.text!r} fills"
        met = sorted({len(run.barriers) for run in runs})
        if len(met) > 1:
            return f"one wave meets {met[0]} barriers, another {met[-1]}"
        accesses = all_accesses(runs)
        for i, j in self.pairs:
            a, b = accesses[i], accesses[j]
            if not is_ordered(a, b) and not is_ordered(b, a):
                return (
                    f"{a.event.text!r} of wave {a.wave} and {b.event.text!r} of "
                    f"wave {b.wave} are not ordered"
                )
        return None

    def reason(self, address, change):
        """Why a change that does no harm does none."""
        events = [e for wave in self.waves for e in wave if e.address == address]
        if not events:
            first = min(wave[0].address for wave in self.waves)
            return NOT_RUN if address > first else NO_PRELOAD
        if events[0].name == "s_barrier":
            return self.reason_of_barrier(address, change)
        return self.reason_of_wait(change)

    def reason_of_wait(self, change):
        """Where that which it waited for is waited for now."""
        places, unneeded = set(), False
        for before, after in zip(self.intact, self.follow(change), strict=True):
            for order, landed in before.landed.items():
                now = after.landed.get(order)
                unneeded |= now is None
                if now not in (None, landed):
                    places.add(hex(now[1]))
        if not places and not unneeded:
            return "the counters are within the new bound whenever it runs"
        texts = []
        if places:
            where = ", ".join(sorted(places))
            texts.append(f"what it waits for is waited for in time at {where}")
        if unneeded:
            texts.append("nothing needs what it waits for before the wave ends")
        return " or ".join(texts)

    def reason_of_barrier(self, address, change):
        """What orders the conflicting accesses on its two sides."""
        runs = self.follow(change)
        before, after = all_accesses(self.intact), all_accesses(runs)
        places, count = set(), 0
        for i, j in self.pairs:
            first, second = (i, j) if is_ordered(before[i], before[j]) else (j, i)
            a, b = before[first], before[second]
            if a.wave == b.wave:
                continue
            # Ordered now by any of these; the first is named.
            if address in self.intact[a.wave].barriers[a.back : b.issued]:
                now, then = after[first], after[second]
                if not is_ordered(now, then):
                    now, then = then, now
                barriers = runs[now.wave].barriers[now.back : then.issued]
                places.add(hex(barriers[0]))
                count += 1
        if not count:
            return "no conflicting accesses are on its two sides"
        where = ", ".join(sorted(places))
        return f"the accesses on its two sides are ordered by the barriers {where}"


NOT_RUN = "no case runs it"
NO_PRELOAD = "it is before the first instruction that runs: arguments are preloaded"


def all_accesses(runs):
    return [access for run in runs for access in run.accesses]
