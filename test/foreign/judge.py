# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Which accesses of a traced workgroup nothing orders: a judge of mutants.

This is a second opinion on the emulator's detector and shares no code with it.
Its only input is what `fly-emu --trace` prints of every wave of a workgroup of
the intact kernel: the instructions as text and the LDS addresses of their
accesses. From that it answers what would be unordered with one wait or barrier
changed. The rules are those of the ISA manuals:

- Vector memory (vmcnt) and LDS (lgkmcnt) return in order, scalar loads
  (lgkmcnt) in any order. A wait for n proves that all but the last n of the
  ordered ones are back, and of the scalar ones nothing unless n is 0. A counter
  that is full holds up the next access.
- A register that a load in flight will fill may not be touched; another load
  of the same kind may fill it again.
- An access in LDS is before one of another wave if it was proved to be back
  when its wave arrived at a barrier that the other wave passed before it issued
  its own. Within a wave LDS instructions are in order; a direct copy is ordered
  with them by a wait only.
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
        self.fills = set()
        if self.queue and not self.to_lds and "store" not in self.name:
            if "write" not in self.name and "atomic" not in self.name:
                self.fills = registers(first)
        self.others = registers(rest) if self.fills else self.touched
        self.waits = {k: int(n) for k, n in WAIT.findall(text)}
        if self.name != "s_waitcnt":
            self.waits = {}
        self.use, self.bytes = None, 0  # in LDS: reads, writes, updates; bit set


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
            for at in m[3].split():
                event.bytes |= width << int(at)
    return events


class Access:
    """An access in LDS, as it went in one wave."""

    def __init__(self, wave, event, issued, order):
        self.wave, self.event = wave, event
        self.issued = issued  # barriers passed before it
        self.order = order  # position in its wave
        self.back = None  # barriers passed when it was proved to be back
        self.back_order = None


def run_wave(wave, events, change):
    """Follows one wave; its LDS accesses, and the first register conflict.

    change maps an address to the waits that stand there instead, or to None if
    the instruction is gone.
    """
    queues = {"vmcnt": [], "lgkmcnt": []}
    scalars, accesses, passed, conflict = [], [], 0, None

    def land(entry, order):
        if entry[1]:
            entry[1].back, entry[1].back_order = passed, order

    for order, event in enumerate(events):
        waits = event.waits
        if event.address in change:
            waits = change[event.address] or {}
            if change[event.address] is None and event.name == "s_barrier":
                continue
        if conflict is None and (event.touched or event.fills):
            for name, queue in queues.items():
                for other, _ in queue:
                    again = event.queue == name and not event.is_scalar_load
                    mine = event.others if again else event.touched
                    if other.fills & mine:
                        conflict = (other, event)
            for other in scalars:
                if other.fills & event.touched:
                    conflict = (other, event)
        for name, limit in waits.items():
            queue = queues[name]
            while len(queue) > limit:
                land(queue.pop(0), order)
            if name == "lgkmcnt" and limit == 0:
                scalars.clear()
        if event.name == "s_barrier":
            passed += 1
        if event.is_scalar_load:
            scalars.append(event)
        elif event.queue:
            access = None
            if event.use and event.bytes:
                access = Access(wave, event, passed, order)
                accesses.append(access)
            queue = queues[event.queue]
            queue.append((event, access))
            if len(queue) > FULL[event.queue]:
                land(queue.pop(0), order)
    return accesses, conflict


def is_ordered(a, b):
    """Whether a is before b."""
    if a.wave != b.wave:
        return a.back is not None and a.back < b.issued
    if a.order > b.order:
        return False
    if a.event.queue == b.event.queue:
        return True
    return a.back_order is not None and a.back_order < b.order


def conflicting_pairs(accesses):
    """Pairs by index that touch a byte both, not only reading or updating."""
    pairs = []
    for i, a in enumerate(accesses):
        for j in range(i):
            b = accesses[j]
            same = a.event.use == b.event.use and a.event.use != "writes"
            if not same and a.event.bytes & b.event.bytes:
                if a.wave != b.wave or a.event.queue != b.event.queue:
                    pairs.append((j, i))
    return pairs


class Judge:
    """Of one workgroup: waves is a list of lists of trace lines."""

    def __init__(self, waves):
        self.waves = [parse(lines) for lines in waves]
        self.pairs = conflicting_pairs(self.follow({})[0])

    def follow(self, change):
        accesses, conflicts = [], []
        for wave, events in enumerate(self.waves):
            mine, conflict = run_wave(wave, events, change)
            accesses += mine
            if conflict:
                conflicts.append((wave, conflict))
        return accesses, conflicts

    def first_fault(self, change):
        """What is unordered with the change, as a text, or None."""
        accesses, conflicts = self.follow(change)
        for wave, (load, use) in conflicts:
            return f"wave {wave}: {use.text!r} touches what {load.text!r} fills"
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
        intact, changed = self.follow({})[0], self.follow(change)[0]
        events = [e for wave in self.waves for e in wave if e.address == address]
        if not events:
            return "this workgroup does not run it"
        if events[0].name == "s_barrier":
            return "the accesses on both sides are ordered by: " + self.orderers(
                change
            )
        if all(
            (a.back, a.back_order) == (b.back, b.back_order)
            for a, b in zip(intact, changed, strict=True)
        ) and not self.retires(address, change):
            return "the counters are within the new bound whenever it runs"
        return "what it waited for is waited for in time by: " + self.orderers(change)

    def retires(self, address, change):
        """Whether the wait at address ever waits for more than the changed one."""
        for events in self.waves:
            counts = {"vmcnt": 0, "lgkmcnt": 0}
            scalars = 0
            for event in events:
                if event.address == address:
                    new = change[address] or {}
                    for name, limit in event.waits.items():
                        bound = new.get(name, FULL[name])
                        if counts[name] > limit and bound > limit:
                            return True
                        if name == "lgkmcnt" and limit == 0 and bound and scalars:
                            return True
                for name, limit in event.waits.items():
                    counts[name] = min(counts[name], limit)
                    if name == "lgkmcnt" and limit == 0:
                        scalars = 0
                if event.is_scalar_load:
                    scalars += 1
                elif event.queue:
                    counts[event.queue] = min(
                        counts[event.queue] + 1, FULL[event.queue]
                    )
        return False

    def orderers(self, change):
        """The other waits and barriers without any of which there is a fault."""
        found = []
        for address in self.waits_and_barriers():
            if address not in change:
                if self.first_fault({**change, address: None}):
                    found.append(hex(address))
        return ", ".join(found) or "nothing: no access depends on it"

    def waits_and_barriers(self):
        names = ("s_waitcnt", "s_barrier")
        return sorted(
            {e.address for w in self.waves for e in w if e.name in names}
        )
