# Targets of the project. Two kinds of library:
#   fly_add_library        needs LLVM at most (Arch, Numerics, CodeObject, Emulator)
#   fly_add_mlir_library   includes MLIR headers, through one shared precompiled header
# Only the dylibs MLIR and LLVM are ever linked: naming a static LLVM or MLIR
# archive beside them registers options twice.

add_library(fly_options INTERFACE)
target_include_directories(fly_options INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
target_include_directories(fly_options SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(_fly_llvm_definitions NATIVE_COMMAND ${LLVM_DEFINITIONS})
target_compile_definitions(fly_options INTERFACE ${_fly_llvm_definitions})
target_compile_options(fly_options INTERFACE -fno-exceptions -Wall -Wextra
  -Wno-unused-parameter)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(fly_options INTERFACE -Wno-dangling-reference
    -Wno-maybe-uninitialized -Wno-comment -Wno-redundant-move)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_link_options(fly_options INTERFACE -fuse-ld=lld)
endif()

# ./dev fuzz: everything under ASan and UBSan, with libFuzzer's coverage. RTTI's
# check needs LLVM's type information, which its headers do not promise.
option(FLY_FUZZ "Build under sanitizers, with the fuzz targets of test/fuzz" OFF)
if(FLY_FUZZ)
  set(_fly_sanitizers -fsanitize=address,undefined -fno-sanitize=vptr,function)
  target_compile_options(fly_options INTERFACE ${_fly_sanitizers}
    -fsanitize=fuzzer-no-link -fno-sanitize-recover=undefined -g1)
  target_link_options(fly_options INTERFACE ${_fly_sanitizers})
endif()

option(FLY_PCH "Use one precompiled header for the files that include MLIR" ON)
add_library(fly_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/pch.cpp)
target_link_libraries(fly_pch PRIVATE fly_options)
if(FLY_PCH)
  target_precompile_headers(fly_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/pch.h)
endif()

function(fly_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} LLVM Threads::Threads
                        PRIVATE fly_options)
endfunction()

function(fly_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM
                        PRIVATE fly_options)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(FLY_PCH)
    target_precompile_headers(${name} REUSE_FROM fly_pch)
  endif()
endfunction()

# A tool: one main file in tools/, which parses options and calls the library.
function(fly_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} LLVM fly_options)
  target_compile_definitions(${name} PRIVATE FLY_VERSION="${PROJECT_VERSION}")
endfunction()

# A GoogleTest binary under test/unit, picked up by lit.
function(fly_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main LLVM
                        fly_options)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/test/unit)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/unit)
  set_property(GLOBAL APPEND PROPERTY FLY_UNITTESTS ${name})
endfunction()

# A Google Benchmark binary under bench/, run by ./dev bench.
function(fly_add_benchmark name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} benchmark::benchmark LLVM
                        fly_options)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  set_property(GLOBAL APPEND PROPERTY FLY_BENCHMARKS ${name})
endfunction()

# A libFuzzer binary under test/fuzz, built with FLY_FUZZ and run by ./dev fuzz.
function(fly_add_fuzzer name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} LLVM fly_options)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/fuzz)
endfunction()
