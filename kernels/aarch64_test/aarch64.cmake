# Builds the kernels with the AArch64 cross compiler and runs their tests on an emulated machine.
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/emulated.cmake)
build_for_emulation(aarch64 -DHOST_INCLUDE=${HOST_INCLUDE})
execute_process(COMMAND ${emulator} ${BUILD}/kernels_check
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
message("${output}")
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the kernels on AArch64: ${result}")
endif()
