# A CMake project that finds the installed package.
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)
set(build ${WORK}/find_package)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CONSUMER} -B ${build} -G Ninja
  -DCMAKE_PREFIX_PATH=${WORK}/moved -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} COMMAND_ERROR_IS_FATAL ANY)
file(READ ${build}/compile_commands.json commands)
expect_flags("${commands}")
expect_consumer(${build}/consumer)
