# Installs the build into a folder, then moves it: nothing installed may know where it was built.
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${WORK}/first ${WORK}/moved)

foreach(file
    ${INCLUDEDIR}/plumbline/reference/descriptor/descriptor.h
    ${INCLUDEDIR}/plumbline/reference/scalar/df64.h
    ${LIBDIR}/pkgconfig/plumbline.pc
    ${LIBDIR}/cmake/plumbline/plumblineConfig.cmake)
  if(NOT EXISTS ${WORK}/moved/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

file(GLOB_RECURSE tests ${WORK}/moved/*test_*.h ${WORK}/moved/*_test.*)
if(tests)
  message(FATAL_ERROR "installed, but only the tests need it: ${tests}")
endif()
file(GLOB_RECURSE texts ${WORK}/moved/*.cmake ${WORK}/moved/*.pc ${WORK}/moved/*.h)
get_filename_component(source ${CONSUMER}/../../.. ABSOLUTE)
foreach(text ${texts})
  file(READ ${text} content)
  foreach(place ${WORK} ${BUILD} ${source})
    string(FIND "${content}" "${place}/" found)
    if(NOT found EQUAL -1)
      message(FATAL_ERROR "${text} names ${place}")
    endif()
  endforeach()
endforeach()
