# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Triton kernels of the foreign corpus. compile.py makes code objects of them."""

import triton
import triton.language as tl


@triton.jit
def matmul(
    a_ptr, b_ptr, c_ptr, m, n, k, stride_am, stride_bk, stride_cm,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """C[m][n] (f32) = A[m][k] B[k][n]; rows past the end are masked."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    a = a_ptr + rows[:, None] * stride_am + depth[None, :]
    b = b_ptr + depth[:, None] * stride_bk + columns[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for _ in range(0, tl.cdiv(k, BLOCK_K)):
        va = tl.load(a, mask=rows[:, None] < m, other=0.0)
        vb = tl.load(b, mask=columns[None, :] < n, other=0.0)
        acc = tl.dot(va, vb, acc)
        a += BLOCK_K
        b += BLOCK_K * stride_bk
    mask = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c_ptr + rows[:, None] * stride_cm + columns[None, :], acc, mask=mask)


@triton.jit
def matmul_nt(
    a_ptr, b_ptr, c_ptr, n, k, stride_am, stride_bn, stride_cm,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """C[m][n] (f32) = A[m][k] B[n][k]^T, sizes multiples of the blocks."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    a = a_ptr + rows[:, None] * stride_am + depth[None, :]
    b = b_ptr + depth[:, None] + columns[None, :] * stride_bn
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for _ in range(0, k // BLOCK_K):
        acc = tl.dot(tl.load(a), tl.load(b), acc)
        a += BLOCK_K
        b += BLOCK_K
    tl.store(c_ptr + rows[:, None] * stride_cm + columns[None, :], acc)


@triton.jit
def scaled_matmul(
    a_ptr, sa_ptr, b_ptr, sb_ptr, c_ptr, n, k,
    A_TYPE: tl.constexpr, B_TYPE: tl.constexpr,
    A_PACK: tl.constexpr, B_PACK: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """C = (A sa) (B sb)^T: A[m][k], B[n][k] fp8 bytes or fp4 pairs, E8M0
    scales of 32 values sa[m][k/32], sb[n][k/32]."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth_a = tl.arange(0, BLOCK_K // A_PACK)
    depth_b = tl.arange(0, BLOCK_K // B_PACK)
    blocks = tl.arange(0, BLOCK_K // 32)
    a = a_ptr + rows[:, None] * (k // A_PACK) + depth_a[None, :]
    b = b_ptr + depth_b[:, None] + columns[None, :] * (k // B_PACK)
    sa = sa_ptr + rows[:, None] * (k // 32) + blocks[None, :]
    sb = sb_ptr + columns[:, None] * (k // 32) + blocks[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for _ in range(0, k // BLOCK_K):
        acc = tl.dot_scaled(
            tl.load(a), tl.load(sa), A_TYPE, tl.load(b), tl.load(sb), B_TYPE, acc
        )
        a += BLOCK_K // A_PACK
        b += BLOCK_K // B_PACK
        sa += BLOCK_K // 32
        sb += BLOCK_K // 32
    tl.store(c_ptr + rows[:, None] * n + columns[None, :], acc)


@triton.jit
def softmax(in_ptr, out_ptr, pitch, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(in_ptr + row * pitch + at, mask=at < columns, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out_ptr + row * pitch + at, e / tl.sum(e, axis=0), mask=at < columns)


@triton.jit
def layer_norm(
    in_ptr, gain_ptr, bias_ptr, out_ptr, mean_ptr, columns, epsilon,
    BLOCK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0)
    in_ptr += row * columns
    out_ptr += row * columns
    sums = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        sums += tl.load(in_ptr + at, mask=at < columns, other=0.0).to(tl.float32)
    mean = tl.sum(sums, axis=0) / columns
    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(in_ptr + at, mask=at < columns, other=0.0).to(tl.float32)
        v = tl.where(at < columns, v - mean, 0.0)
        squares += v * v
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + epsilon)
    tl.store(mean_ptr + row, mean)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < columns
        gain = tl.load(gain_ptr + at, mask=inside)
        bias = tl.load(bias_ptr + at, mask=inside)
        v = tl.load(in_ptr + at, mask=inside, other=0.0).to(tl.float32)
        tl.store(out_ptr + at, (v - mean) * scale * gain + bias, mask=inside)


@triton.jit
def attention(
    q_ptr, k_ptr, v_ptr, out_ptr, length, scale,
    CAUSAL: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
    DIM: tl.constexpr,
):  # fmt: skip
    """Fused attention forward: Q, K, V, O are [head][length][DIM] f16."""
    start = tl.program_id(0) * BLOCK_M
    head = tl.program_id(1) * length * DIM
    rows = start + tl.arange(0, BLOCK_M)
    keys = tl.arange(0, BLOCK_N)
    dims = tl.arange(0, DIM)
    q = tl.load(q_ptr + head + rows[:, None] * DIM + dims[None, :])
    k = k_ptr + head + dims[:, None] + keys[None, :] * DIM
    v = v_ptr + head + keys[:, None] * DIM + dims[None, :]
    top = tl.full([BLOCK_M], -float("inf"), tl.float32)
    total = tl.zeros([BLOCK_M], tl.float32)
    acc = tl.zeros([BLOCK_M, DIM], tl.float32)
    end = start + BLOCK_M if CAUSAL else length
    for at in range(0, end, BLOCK_N):
        s = tl.dot(q, tl.load(k)) * (scale * 1.44269504)
        if CAUSAL:
            s = tl.where(rows[:, None] >= at + keys[None, :], s, -float("inf"))
        new_top = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp2(s - new_top[:, None])
        fade = tl.exp2(top - new_top)
        total = total * fade + tl.sum(p, axis=1)
        acc = tl.dot(p.to(tl.float16), tl.load(v), acc * fade[:, None])
        top = new_top
        k += BLOCK_N * DIM
        v += BLOCK_N * DIM
    acc = acc / total[:, None]
    out = out_ptr + head + rows[:, None] * DIM + dims[None, :]
    tl.store(out, acc.to(tl.float16))


@triton.jit
def matmul_split_k(
    a_ptr, b_ptr, c_ptr, n, k, stride_am, stride_bn, stride_cm,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    SPLIT: tl.constexpr,
):  # fmt: skip
    """C += A B^T; SPLIT workgroups share a tile and add to it atomically."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.program_id(2) * BLOCK_K + tl.arange(0, BLOCK_K)
    a = a_ptr + rows[:, None] * stride_am + depth[None, :]
    b = b_ptr + depth[:, None] + columns[None, :] * stride_bn
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for _ in range(0, k // (BLOCK_K * SPLIT)):
        acc = tl.dot(tl.load(a), tl.load(b), acc)
        a += BLOCK_K * SPLIT
        b += BLOCK_K * SPLIT
    c = c_ptr + rows[:, None] * stride_cm + columns[None, :]
    tl.atomic_add(c, acc, sem="relaxed")


@triton.jit
def matmul_persistent(
    a_ptr, b_ptr, c_ptr, m, n, k, stride_am, stride_bn, stride_cm,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """C[m][n] (f32) = A B^T; each workgroup walks over tiles. Rows and columns
    past the end are masked."""
    tiles_n = tl.cdiv(n, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    for tile in range(
        tl.program_id(0), tl.cdiv(m, BLOCK_M) * tiles_n, tl.num_programs(0)
    ):
        rows = tile // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
        columns = tile % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
        a = a_ptr + (rows % m)[:, None] * stride_am + depth[None, :]
        b = b_ptr + depth[:, None] + (columns % n)[None, :] * stride_bn
        acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for _ in range(0, k // BLOCK_K):
            acc = tl.dot(tl.load(a), tl.load(b), acc)
            a += BLOCK_K
            b += BLOCK_K
        mask = (rows[:, None] < m) & (columns[None, :] < n)
        c = c_ptr + rows[:, None] * stride_cm + columns[None, :]
        tl.store(c, acc, mask=mask)


@triton.jit
def grouped_gemm(
    a_ptr, b_ptr, c_ptr, ends_ptr, groups, n, k,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Rows of A up to ends[g], from those of the group before, times B[g][n][k]^T;
    a persistent walk over the tiles of all groups, whose sizes are in memory."""
    tiles_n = tl.cdiv(n, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    tile = tl.program_id(0)
    first, begin = 0, 0
    for group in range(groups):
        end = tl.load(ends_ptr + group)
        count = tl.cdiv(end - begin, BLOCK_M) * tiles_n
        while tile < first + count:
            local = tile - first
            rows = begin + local // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
            columns = local % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
            a = a_ptr + rows[:, None] * k + depth[None, :]
            b = b_ptr + group * n * k + depth[:, None] + columns[None, :] * k
            acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
            for _ in range(0, k // BLOCK_K):
                va = tl.load(a, mask=rows[:, None] < end, other=0.0)
                acc = tl.dot(va, tl.load(b), acc)
                a += BLOCK_K
                b += BLOCK_K
            c = c_ptr + rows[:, None] * n + columns[None, :]
            tl.store(c, acc, mask=rows[:, None] < end)
            tile += tl.num_programs(0)
        first += count
        begin = end


@triton.jit
def moe_gather(
    a_ptr, b_ptr, c_ptr, rows_ptr, experts_ptr, weights_ptr, tokens, n, k,
    TOP: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """A GEMM of a mixture of experts: block i of rows[] has slots (token * TOP +
    choice) that all go to experts[i]; slots from tokens * TOP on are padding.
    C[slot] = weights[slot] * A[token] B[expert]^T."""
    block = tl.program_id(0)
    slots = tl.load(rows_ptr + block * BLOCK_M + tl.arange(0, BLOCK_M))
    is_real = slots < tokens * TOP
    expert = tl.load(experts_ptr + block).to(tl.int64)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    a = a_ptr + (slots // TOP)[:, None] * k + depth[None, :]
    b = b_ptr + expert * n * k + depth[:, None] + columns[None, :] * k
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for _ in range(0, k // BLOCK_K):
        va = tl.load(a, mask=is_real[:, None], other=0.0)
        acc = tl.dot(va, tl.load(b), acc)
        a += BLOCK_K
        b += BLOCK_K
    weights = tl.load(weights_ptr + slots, mask=is_real, other=0.0)
    c = c_ptr + slots[:, None] * n + columns[None, :]
    tl.store(c, acc * weights[:, None], mask=is_real[:, None])


@triton.jit
def scan(in_ptr, sums_ptr, tops_ptr, columns, BLOCK: tl.constexpr):
    """Running sums and the sorted values of each row of i32."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(in_ptr + row * columns + at, mask=at < columns, other=0)
    tl.store(sums_ptr + row * columns + at, tl.cumsum(v, axis=0), mask=at < columns)
    tl.store(tops_ptr + row * BLOCK + at, tl.sort(v, descending=True))


@triton.jit
def moe_blocks(
    a_ptr, b_ptr, c_ptr, sa_ptr, sb_ptr, rows_ptr, experts_ptr, count_ptr,
    slots, n, k, stride_am, stride_be, stride_bn, pitch,
    TOP: tl.constexpr, GROUP: tl.constexpr, KIND: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """As moe_gather, with quantised operands: tiles in groups of GROUP blocks, n
    and k of any size, blocks of expert -1 give zeros, only the first count[0]
    rows are there. fp8: scales sa[token][k/128], sb[expert][n/128][k/128]; int8:
    sa[token], sb[expert][n]."""
    tiles_n = tl.cdiv(n, BLOCK_N)
    blocks = tl.cdiv(tl.load(count_ptr), BLOCK_M)
    tile = tl.program_id(0)
    first = tile // (GROUP * tiles_n) * GROUP
    height = min(blocks - first, GROUP)
    if first >= blocks:
        return
    block = first + tile % (GROUP * tiles_n) % height
    column = tile % (GROUP * tiles_n) // height
    rows = tl.load(rows_ptr + block * BLOCK_M + tl.arange(0, BLOCK_M).to(tl.int64))
    real = rows < slots
    columns = column * BLOCK_N + tl.arange(0, BLOCK_N).to(tl.int64)
    c = c_ptr + rows[:, None] * pitch + columns[None, :]
    mask = real[:, None] & (columns[None, :] < n)
    expert = tl.load(experts_ptr + block).to(tl.int64)
    if expert == -1:
        tl.store(c, tl.zeros((BLOCK_M, BLOCK_N), tl.float32), mask=mask)
        return
    columns = columns % n
    depth = tl.arange(0, BLOCK_K)
    tokens = rows // TOP
    a = a_ptr + tokens[:, None] * stride_am + depth[None, :]
    b = b_ptr + expert * stride_be + depth[:, None] + columns[None, :] * stride_bn
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.int32 if KIND == "int8" else tl.float32)
    for i in range(0, tl.cdiv(k, BLOCK_K)):
        left = k - i * BLOCK_K
        zero = 0 if KIND == "int8" else 0.0
        va = tl.load(a, mask=real[:, None] & (depth[None, :] < left), other=zero)
        vb = tl.load(b, mask=depth[:, None] < left, other=zero)
        if KIND == "int8":
            acc = tl.dot(va, vb, acc, out_dtype=tl.int32)
        else:
            at = i * BLOCK_K // 128
            sa = tl.load(sa_ptr + tokens * (k // 128) + at, mask=real, other=0.0)
            sb = sb_ptr + (expert * (n // 128) + columns // 128) * (k // 128) + at
            acc += tl.dot(va, vb) * sa[:, None] * tl.load(sb)[None, :]
        a += BLOCK_K
        b += BLOCK_K
    if KIND == "int8":
        sa = tl.load(sa_ptr + tokens, mask=real, other=0.0)
        sb = tl.load(sb_ptr + expert * n + columns)
        acc = acc.to(tl.float32) * sa[:, None] * sb[None, :]
    tl.store(c, acc, mask=mask)


@triton.jit
def histogram(in_ptr, out_ptr, BLOCK: tl.constexpr, BINS: tl.constexpr):
    v = tl.load(in_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(out_ptr + tl.arange(0, BINS), tl.histogram(v, BINS))


@triton.jit
def attention_shared(
    q_ptr, k_ptr, v_ptr, out_ptr, sums_ptr, queries, heads, shared, scale,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, DIM: tl.constexpr,
):  # fmt: skip
    """Causal attention over any length, [length][head][DIM] f16, in which groups of
    heads share K and V; also the logarithms of the sums."""
    start = tl.program_id(0) * BLOCK_M
    head = tl.program_id(1)
    other = head // (heads // shared)
    rows = start + tl.arange(0, BLOCK_M)
    dims = tl.arange(0, DIM)
    at = (rows[:, None] * heads + head) * DIM + dims[None, :]
    q = tl.load(q_ptr + at, mask=rows[:, None] < queries, other=0.0)
    top = tl.full([BLOCK_M], -float("inf"), tl.float32)
    total = tl.zeros([BLOCK_M], tl.float32)
    acc = tl.zeros([BLOCK_M, DIM], tl.float32)
    for first in range(0, min(start + BLOCK_M, queries), BLOCK_N):
        keys = first + tl.arange(0, BLOCK_N)
        k = k_ptr + (keys[None, :] * shared + other) * DIM + dims[:, None]
        s = tl.dot(q, tl.load(k, mask=keys[None, :] < queries, other=0.0)) * scale
        seen = (keys[None, :] < queries) & (rows[:, None] >= keys[None, :])
        s = tl.where(seen, s, -float("inf"))
        new_top = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp2(s - new_top[:, None])
        fade = tl.exp2(top - new_top)
        total = total * fade + tl.sum(p, axis=1)
        v = v_ptr + (keys[:, None] * shared + other) * DIM + dims[None, :]
        v = tl.load(v, mask=keys[:, None] < queries, other=0.0)
        acc = tl.dot(p.to(tl.float16), v, acc * fade[:, None])
        top = new_top
    out = (acc / total[:, None]).to(tl.float16)
    tl.store(out_ptr + at, out, mask=rows[:, None] < queries)
    sums = top + tl.log2(total)
    tl.store(sums_ptr + head * queries + rows, sums, mask=rows < queries)


@triton.jit
def one_dot(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :], tl.arange(0, K)
    a = tl.load(a_ptr + m * K + k[None, :])
    b = tl.load(b_ptr + k[:, None] * N + n)
    tl.store(c_ptr + m * N + n, tl.dot(a, b, input_precision="ieee"))


@triton.jit
def mixed_dot(
    a_ptr, sa_ptr, b_ptr, c_ptr,
    A_TYPE: tl.constexpr, A_PACK: tl.constexpr, B_TYPE: tl.constexpr,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
):  # fmt: skip
    """A scaled small float with a 16-bit one."""
    m, n = tl.arange(0, M)[:, None], tl.arange(0, N)
    a = tl.load(a_ptr + m * (K // A_PACK) + tl.arange(0, K // A_PACK)[None, :])
    sa = tl.load(sa_ptr + m * (K // 32) + tl.arange(0, K // 32)[None, :])
    b = tl.load(b_ptr + tl.arange(0, K)[:, None] + n[None, :] * K)
    c = tl.dot_scaled(a, sa, A_TYPE, b, None, B_TYPE)
    tl.store(c_ptr + m * N + n[None, :], c)


@triton.jit
def total_of_all(
    in_ptr, sums_ptr, arrived_ptr, out_ptr,
    GROUPS: tl.constexpr, SUMS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Every program stores the sum of what all of them read, when the last has
    arrived."""
    program = tl.program_id(0)
    values = tl.load(in_ptr + program * BLOCK + tl.arange(0, BLOCK))
    tl.store(sums_ptr + program, tl.sum(values, axis=0))
    tl.debug_barrier()
    tl.atomic_add(arrived_ptr, 1, sem="acq_rel", scope="gpu")
    while tl.atomic_add(arrived_ptr, 0, sem="acq_rel", scope="gpu") < GROUPS:
        pass
    at = tl.arange(0, SUMS)
    sums = tl.load(sums_ptr + at, mask=at < GROUPS, other=0, volatile=True)
    tl.store(out_ptr + program, tl.sum(sums, axis=0))
