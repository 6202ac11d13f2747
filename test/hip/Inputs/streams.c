//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Order: streams run by themselves, events and the default stream tie them
// together, two threads use two streams at once, and findings of checking mode
// come out of the next call that waits.

#include "hip.h"

#include <pthread.h>
#include <unistd.h>

static hipFunction_t slow, add, reverse, race;

/// Holds a stream back until it is let go.
static _Atomic int gate;
static void waitForGate(void *unused) {
  while (!gate)
    usleep(1000);
}
static void nothing(void *unused) {}
static int order[8], orderLength;
static void note(void *value) { order[orderLength++] = (int)(intptr_t)value; }
static int called;
static void noteCallback(hipStream_t stream, hipError_t status, void *value) {
  called = stream == value && status == 0;
}

static void ordering(void) {
  hipStream_t one, two, free;
  hipEvent_t event;
  OK(hipStreamCreate(&one));
  OK(hipStreamCreate(&two));
  OK(hipStreamCreateWithFlags(&free, 1));
  OK(hipEventCreate(&event));
  OK(hipLaunchHostFunc(one, waitForGate, NULL));
  OK(hipLaunchHostFunc(one, note, (void *)1));
  OK(hipEventRecord(event, one));
  OK(hipStreamWaitEvent(two, event, 0));
  OK(hipLaunchHostFunc(two, note, (void *)2));  // after the event
  OK(hipLaunchHostFunc(NULL, note, (void *)3)); // after all blocking streams
  OK(hipLaunchHostFunc(one, note, (void *)4));  // after the default stream
  EXPECT(hipErrorNotReady, hipStreamQuery(one));
  EXPECT(hipErrorNotReady, hipStreamQuery(two));
  EXPECT(hipErrorNotReady, hipStreamQuery(NULL));
  EXPECT(hipErrorNotReady, hipEventQuery(event));
  float time;
  EXPECT(hipErrorNotReady, hipEventElapsedTime(&time, event, event));
  OK(hipPeekAtLastError()); // not ready is no error
  // A stream without blocking passes them all.
  OK(hipStreamAddCallback(free, noteCallback, free, 0));
  OK(hipStreamSynchronize(free));
  TRUE(called && orderLength == 0);
  gate = 1;
  OK(hipDeviceSynchronize());
  TRUE(orderLength == 4 && order[0] == 1 && order[1] == 2 && order[2] == 3 &&
       order[3] == 4);
  OK(hipStreamQuery(NULL));
  OK(hipEventDestroy(event));
  OK(hipStreamDestroy(one));
  OK(hipStreamDestroy(two));
  OK(hipStreamDestroy(free));
}

/// Work that is under way when its memory is freed.
static void freeing(void) {
  hipStream_t stream;
  int *counter, *other, times = 20000, *pinned;
  OK(hipStreamCreateWithFlags(&stream, 1));
  OK(hipHostMalloc((void **)&pinned, 256, 0));
  OK(hipMallocAsync((void **)&counter, 256, stream));
  OK(hipMemsetD32Async(counter, 5, 64, stream));
  void *parameters[] = {&counter, &times};
  OK(hipModuleLaunchKernel(slow, 1, 1, 1, 64, 1, 1, 0, stream, parameters,
                           NULL));
  OK(hipMemcpyAsync(pinned, counter, 256, D2H, stream));
  OK(hipFreeAsync(counter, stream));
  OK(hipMalloc((void **)&other, 256));
  OK(hipFree(other)); // waits for the kernel
  OK(hipStreamQuery(stream));
  TRUE(pinned[0] == 20005 && pinned[63] == 20005);
  OK(hipHostFree(pinned));
  OK(hipStreamDestroy(stream));
}

/// Kernels see pinned and registered memory of the host.
static void mapped(void) {
  int *pinned, own[64], *out;
  long long n = 64;
  char plus = 1;
  OK(hipHostMalloc((void **)&pinned, 256, 0));
  OK(hipHostRegister(own, sizeof(own), 0));
  OK(hipHostGetDevicePointer((void **)&out, own, 0));
  for (int i = 0; i != 64; ++i)
    pinned[i] = i;
  void *parameters[] = {&out, &pinned, &plus, &n};
  OK(hipModuleLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL));
  OK(hipDeviceSynchronize());
  TRUE(own[0] == 3 && own[63] == 192);
  OK(hipHostUnregister(own));
  OK(hipHostFree(pinned));
}

struct Work {
  int seed, good;
};

static void *work(void *argument) {
  struct Work *task = argument;
  hipStream_t stream;
  OK(hipStreamCreateWithFlags(&stream, task->seed & 1));
  task->good = 1;
  for (int round = 0; round != 20; ++round) {
    int host[256], *in, *out;
    long long n = 256;
    char plus = (char)(task->seed + round);
    for (int i = 0; i != 256; ++i)
      host[i] = i * task->seed;
    OK(hipMallocAsync((void **)&in, sizeof(host), stream));
    OK(hipMalloc((void **)&out, sizeof(host)));
    OK(hipMemcpyAsync(in, host, sizeof(host), H2D, stream));
    void *parameters[] = {&out, &in, &plus, &n};
    OK(hipModuleLaunchKernel(add, 4, 1, 1, 64, 1, 1, 0, stream, parameters,
                             NULL));
    OK(hipMemcpyAsync(host, out, sizeof(host), D2H, stream));
    OK(hipStreamSynchronize(stream));
    for (int i = 0; i != 256; ++i)
      task->good &= host[i] == (i * task->seed + plus) * 3;
    // The last error is each thread's own.
    if (task->seed == 1)
      EXPECT(hipErrorInvalidDevice, hipSetDevice(7));
    else
      OK(hipPeekAtLastError());
    OK(hipFreeAsync(in, stream));
    OK(hipFree(out));
  }
  if (task->seed == 1)
    EXPECT(hipErrorInvalidDevice, hipGetLastError());
  OK(hipStreamDestroy(stream));
  // The thread's own default stream ends with it.
  OK(hipLaunchHostFunc((hipStream_t)2, nothing, NULL));
  OK(hipStreamSynchronize((hipStream_t)2));
  return NULL;
}

static void threads(void) {
  pthread_t handles[2];
  struct Work tasks[2] = {{1, 0}, {2, 0}};
  for (int i = 0; i != 2; ++i)
    TRUE(!pthread_create(&handles[i], NULL, work, &tasks[i]));
  for (int i = 0; i != 2; ++i)
    pthread_join(handles[i], NULL);
  TRUE(tasks[0].good && tasks[1].good);
}

static void findings(int checked) {
  hipStream_t stream, other;
  hipEvent_t event;
  int *out, host[256];
  OK(hipStreamCreate(&stream));
  OK(hipStreamCreate(&other));
  OK(hipEventCreate(&event));
  OK(hipMalloc((void **)&out, 1024));
  void *parameters[] = {&out};
#define LAUNCH(function)                                                       \
  OK(hipModuleLaunchKernel(function, 1, 1, 1, 256, 1, 1, 0, stream,            \
                           parameters, NULL))
#define WAITED(call)                                                           \
  expectCode(call, checked ? "hipErrorLaunchFailure" : "hipSuccess", #call,    \
             __LINE__)
  // What is right raises nothing.
  LAUNCH(reverse);
  OK(hipStreamSynchronize(stream));
  OK(hipMemcpy(host, out, 1024, D2H));
  TRUE(host[0] == 255 && host[255] == 0);
  // A race comes out once, of the first call that waits for it.
  LAUNCH(race);
  OK(hipStreamSynchronize(other));
  WAITED(hipStreamSynchronize(stream));
  OK(hipStreamSynchronize(stream));
  LAUNCH(race);
  OK(hipEventRecord(event, stream));
  WAITED(hipEventSynchronize(event));
  OK(hipDeviceSynchronize());
  LAUNCH(race);
  WAITED(hipMemcpy(host, out, 1024, D2H));
  LAUNCH(race);
  WAITED(hipDeviceSynchronize());
  hipGetLastError();
  OK(hipDeviceSynchronize());
  LAUNCH(race);
  WAITED(hipStreamDestroy(stream));
  // An address outside every allocation, in both modes.
  char *wrong = (char *)out + (1 << 16);
  void *elsewhere[] = {&wrong};
  OK(hipModuleLaunchKernel(reverse, 1, 1, 1, 256, 1, 1, 0, NULL, elsewhere,
                           NULL));
  EXPECT(hipErrorLaunchFailure, hipDeviceSynchronize());
  EXPECT(hipErrorLaunchFailure, hipGetLastError());
  OK(hipEventDestroy(event));
  OK(hipStreamDestroy(other));
  OK(hipFree(out));
}

/// The process ends while a kernel runs and more is queued, which is dropped.
static void leaveBusy(void) {
  int *counter, times = 20000, most = 1 << 30;
  OK(hipMalloc((void **)&counter, 256));
  OK(hipMemset(counter, 0, 256));
  void *some[] = {&counter, &times}, *endless[] = {&counter, &most};
  OK(hipModuleLaunchKernel(slow, 1, 1, 1, 64, 1, 1, 0, NULL, some, NULL));
  OK(hipModuleLaunchKernel(slow, 1, 1, 1, 64, 1, 1, 0, NULL, endless, NULL));
}

int main(int argc, char **argv) {
  hipModule_t module;
  OK(hipModuleLoad(&module, argv[1]));
  OK(hipModuleGetFunction(&slow, module, "slow"));
  OK(hipModuleGetFunction(&add, module, "add"));
  OK(hipModuleGetFunction(&reverse, module, "reverse"));
  OK(hipModuleGetFunction(&race, module, "race"));
  ordering();
  freeing();
  mapped();
  threads();
  findings(!strcmp(argv[2], "checked"));
  leaveBusy();
  return verdict();
}
