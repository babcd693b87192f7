# Install rules, the CMake package and the pkg-config file. A consumer writes
#   find_package(plumbline REQUIRED)
#   target_link_libraries(mine PRIVATE plumbline::reference)  # or plumbline::kernels
#   #include "reference/descriptor/descriptor.h"
# and gets C++23 and -ffp-contract=off with it.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/plumbline)

install(TARGETS plumbline_reference EXPORT plumblineTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} reference/*.h)
set(plumbline_libraries -lplumbline_reference)
if(TARGET plumbline_kernels)
  install(TARGETS plumbline_kernels EXPORT plumblineTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  file(GLOB_RECURSE kernel_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} kernels/*.h)
  list(FILTER kernel_headers EXCLUDE REGEX "-inl.h$|_kernels.h$|/(select|canary|contract|step).h$")  # the inner ones
  list(APPEND headers ${kernel_headers})
  string(PREPEND plumbline_libraries "-lplumbline_kernels ")
endif()
list(FILTER headers EXCLUDE REGEX "/(test|bench)_[^/]*$")  # what the tests share
foreach(header ${headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/plumbline/${folder})
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(program plumbline plumbline_conformance plumbline_targets)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()

install(EXPORT plumblineTargets NAMESPACE plumbline:: DESTINATION ${package_dir})
configure_package_config_file(cmake/plumblineConfig.cmake.in plumblineConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(plumblineConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/plumblineConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/plumblineConfigVersion.cmake
  DESTINATION ${package_dir})

# The way back from lib/pkgconfig to the prefix, so that an installed tree may be moved.
file(RELATIVE_PATH prefix_from_pc
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/plumbline.pc.in plumbline.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/plumbline.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
