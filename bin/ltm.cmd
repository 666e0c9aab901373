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
rem
rem What the project's repository may have brought is not run: a program with a relative
rem path, or one in the project. Links and short names that lead there are not seen.
setlocal
set "exe=%~dp0ltm.exe"
set "new=%~dp0ltm-new-%RANDOM%%RANDOM%.exe"
if exist "%exe%" goto start
rem Paths have no quotes; one in a variable would end the strings below.
if defined PATH set "PATH=%PATH:"=%"
if defined LTM_BIN set "LTM_BIN=%LTM_BIN:"=%"
call :project
if not defined LTM_BIN goto built
if not exist "%LTM_BIN%" goto badbin
set "try=%LTM_BIN%"
call :outside
if errorlevel 1 goto itsbin
copy /y "%LTM_BIN%" "%new%" >nul
goto place

:built
if not exist "%~dp0..\.build\ltm.exe" goto sources
copy /y "%~dp0..\.build\ltm.exe" "%new%" >nul
goto place

:sources
if "%~1"=="hook" goto path
call :find go.exe
if not defined found goto path
set GOFLAGS=
set GOWORK=off
set CGO_ENABLED=0
"%found%" -C "%~dp0.." build -buildvcs=false -trimpath -ldflags "-s -w" -o "%new%" ./cmd/ltm 1>&2
if exist "%new%" goto place

:path
call :find ltm.exe
if not defined found goto missing
copy /y "%found%" "%new%" >nul

:place
rem Who comes second finds the name taken: it is as good.
if not exist "%exe%" ren "%new%" ltm.exe 2>nul
if exist "%new%" del "%new%"
if not exist "%exe%" goto missing

:start
"%exe%" %*
if "%~1"=="hook" if not "%ERRORLEVEL%"=="0" exit /b 1
exit /b %ERRORLEVEL%

:badbin
echo ltm: LTM_BIN is "%LTM_BIN%", which is not there; correct it or unset it 1>&2
goto fail

:itsbin
echo ltm: LTM_BIN is "%LTM_BIN%", which is relative or in the project; unset it or name a program elsewhere 1>&2
goto fail

:missing
echo ltm: no ltm.exe: install Go, put ltm.exe on the PATH, or set LTM_BIN to it 1>&2

:fail
if "%~1"=="hook" exit /b 0
exit /b 1

:project
rem Sets top to the nearest directory with .git, or to nothing if this file is below it:
rem in ltm's own repository all programs are the person's.
set dir=
if defined CLAUDE_PROJECT_DIR set "dir=%CLAUDE_PROJECT_DIR:"=%"
if not defined dir set "dir=%CD%"
for %%d in ("%dir%\.") do set "top=%%~fd"
set "dir=%top%"
:nearest
if exist "%dir%\.git" set "top=%dir%"
if exist "%dir%\.git" goto own
for %%d in ("%dir%\..") do set "up=%%~fd"
if /i "%up%"=="%dir%" goto own
set "dir=%up%"
goto nearest
:own
if "%top:~-1%"=="\" set top=
set "try=%~dp0"
call :outside
if errorlevel 1 set top=
exit /b 0

:outside
rem Succeeds if the path in try is absolute and not below top.
if not "%try:~1,2%"==":\" if not "%try:~0,2%"=="\\" exit /b 1
if "%try:~0,3%"=="\\?" exit /b 1
if "%try:~0,3%"=="\\." exit /b 1
if not defined top exit /b 0
for %%d in ("%try%\.") do set "dir=%%~fd"
:above
if /i "%dir%"=="%top%" exit /b 1
for %%d in ("%dir%\..") do set "up=%%~fd"
if /i "%up%"=="%dir%" exit /b 0
set "dir=%up%"
goto above

:find
rem Sets found to the first program of a name in the directories of the PATH, or to nothing.
set found=
if not defined PATH exit /b 0
for %%p in ("%PATH:;=" "%") do (
	set "try=%%~p"
	call :look %1
)
exit /b 0

:look
if defined found exit /b 0
if not defined try exit /b 0
if not exist "%try%\%1" exit /b 0
call :outside
if errorlevel 1 exit /b 0
set "found=%try%\%1"
exit /b 0
