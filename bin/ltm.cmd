@echo off
rem Starts ltm.exe for the plugin on Windows, where the launcher beside this file, a
rem shell script, cannot be started.
rem
rem Claude Code names bin/ltm. To start the server it finds bin/ltm.exe or else this
rem file, by PATHEXT. To start a hook in the exec form it finds bin/ltm.exe alone. So
rem this file makes bin/ltm.exe, once, and runs it. It comes from the first of
rem
rem   1. LTM_BIN
rem   2. .build\ltm.exe of this plugin (make build)
rem   3. the sources of this plugin, where Go is installed
rem   4. ltm.exe on the PATH
rem
rem The plugin's directory has the version in its path, so another version makes its
rem own. Remove bin\ltm.exe to have it made anew. A hook never fails: it exits 0.
setlocal
set "exe=%~dp0ltm.exe"
set "new=%~dp0ltm-new-%RANDOM%%RANDOM%.exe"
if exist "%exe%" goto start
if "%LTM_BIN%"=="" goto built
if not exist "%LTM_BIN%" goto badbin
copy /y "%LTM_BIN%" "%new%" >nul
goto place

:built
if not exist "%~dp0..\.build\ltm.exe" goto sources
copy /y "%~dp0..\.build\ltm.exe" "%new%" >nul
goto place

:sources
if "%~1"=="hook" goto path
set go_exe=
for %%g in (go.exe) do set "go_exe=%%~$PATH:g"
if not defined go_exe goto path
set GOFLAGS=
set GOWORK=off
set CGO_ENABLED=0
"%go_exe%" -C "%~dp0.." build -buildvcs=false -trimpath -ldflags "-s -w -E ltm_start" -o "%new%" ./cmd/ltm 1>&2
if exist "%new%" goto place

:path
set found=
for %%g in (ltm.exe) do set "found=%%~$PATH:g"
if not defined found goto missing
copy /y "%found%" "%new%" >nul

:place
rem Who comes second finds the name taken: it is as good.
if not exist "%exe%" ren "%new%" ltm.exe 2>nul
if exist "%new%" del "%new%"
if not exist "%exe%" goto missing

:start
"%exe%" %*
exit /b %ERRORLEVEL%

:badbin
echo ltm: LTM_BIN is "%LTM_BIN%", which is not there; correct it or unset it 1>&2
goto fail

:missing
echo ltm: no ltm.exe: install Go, put ltm.exe on the PATH, or set LTM_BIN to it 1>&2

:fail
if "%~1"=="hook" exit /b 0
exit /b 1
