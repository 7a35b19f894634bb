# Tries the archive of weir on a Windows machine, where no test of ours runs. It needs neither Node.js nor a cluster, works
# in a folder of its own, and removes everything it made. docs/project/releasing.md says more.
#
#   powershell -ExecutionPolicy Bypass -File try-archive.ps1 [FOLDER]   FOLDER has the archive and SHA256SUMS
#
# For Windows PowerShell 5.1 and newer; only ASCII, because 5.1 reads a file in an old character set.
param([string] $folder = '.', [switch] $asksNothing)
$ErrorActionPreference = 'Continue'

$script:results = New-Object System.Collections.ArrayList
$script:failures = 0
function Note([string] $state, [string] $check, [string] $detail) {
  $line = '{0,-7}  {1}: {2}' -f $state, $check, $detail
  Write-Host $line
  [void] $script:results.Add($line)
  if ($state -eq 'FAILED') { $script:failures += 1 }
}
# The first line of what a command printed, so that a report stays short.
function First([string] $text) { ($text.Trim() -split "`r?`n")[0] }
function Is([string] $check, [string] $wanted, [string] $seen) {
  if ($wanted -ceq $seen.Trim()) { Note 'ok' $check (First $seen) }
  else { Note 'FAILED' $check ('expected "' + (First $wanted) + '", saw "' + (First $seen) + '"') }
}
function Has([string] $check, [string] $part, [string] $seen) {
  if ($seen.Contains($part)) { Note 'ok' $check $part }
  else { Note 'FAILED' $check ('expected "' + $part + '", saw "' + (First $seen) + '"') }
}

$folder = (Resolve-Path $folder).Path
$archive = Get-ChildItem $folder -Filter 'weir-*-windows-x64.zip' | Select-Object -First 1
if ($null -eq $archive) { Write-Host "no weir-VERSION-windows-x64.zip in $folder"; exit 2 }
$name = $archive.BaseName
$version = $name -replace '^weir-', '' -replace '-windows-x64$', ''

$place = Join-Path ([IO.Path]::GetTempPath()) ('weir try ' + [Guid]::NewGuid().ToString('N').Substring(0, 8))
[void] (New-Item -ItemType Directory $place)
$weir = Join-Path $place "$name\weir.exe"
$real = @{ APPDATA = $env:APPDATA; LOCALAPPDATA = $env:LOCALAPPDATA }
# What weir prints is UTF-8.
[Console]::OutputEncoding = New-Object System.Text.UTF8Encoding($false)

# Runs weir with a home of its own, and returns all that it prints. Windows PowerShell passes no empty arguments.
function Run {
  $env:APPDATA = Join-Path $place 'roaming'
  $env:LOCALAPPDATA = Join-Path $place 'local'
  $printed = (& $weir @args 2>&1 | ForEach-Object { "$_" }) -join "`n"
  $script:code = $LASTEXITCODE
  $env:APPDATA = $real.APPDATA
  $env:LOCALAPPDATA = $real.LOCALAPPDATA
  return $printed
}
# Writes a file that weir reads as its standard input: a pipe of Windows PowerShell changes letters and line ends.
function Produce([string] $text, [string] $arguments) {
  $path = Join-Path $place 'input.txt'
  [IO.File]::WriteAllText($path, $text, (New-Object System.Text.UTF8Encoding($false)))
  $env:APPDATA = Join-Path $place 'roaming'
  $env:LOCALAPPDATA = Join-Path $place 'local'
  $printed = (cmd /c "`"`"$weir`" $arguments < `"$path`"`" 2>&1" | ForEach-Object { "$_" }) -join "`n"
  $env:APPDATA = $real.APPDATA
  $env:LOCALAPPDATA = $real.LOCALAPPDATA
  return $printed
}

try {
  # The file is the one that was released.
  $sums = Get-Content (Join-Path $folder 'SHA256SUMS') -ErrorAction SilentlyContinue
  $wanted = "$($sums | Where-Object { $_.EndsWith('  ' + $archive.Name) })" -replace ' .*$', ''
  Is 'checksum' $wanted (Get-FileHash $archive.FullName -Algorithm SHA256).Hash.ToLowerInvariant()

  $mark = Get-Item $archive.FullName -Stream 'Zone.Identifier' -ErrorAction SilentlyContinue
  if ($null -eq $mark) { Note 'ok' 'mark of the web' 'the archive has none' } else { Note 'ok' 'mark of the web' 'the archive has it' }
  Expand-Archive $archive.FullName $place
  if (Test-Path $weir) { Note 'ok' 'unpacks' $archive.Name } else { Note 'FAILED' 'unpacks' $archive.Name }

  Is 'version' "weir $version" (Run --version)
  Has 'help' 'weir topic COMMAND' (Run topic --help)

  # A broker in memory, and records there and back.
  Has 'sandbox start' '127.0.0.1:' (Run sandbox start --engine simulated --format json)
  Is 'topic create' 'orders  OK' (Run topic create orders -p 3 --no-headers)
  $german = 'Gr' + [char] 0xfc + [char] 0xdf + 'e'
  $japanese = -join [char[]] (0x65e5, 0x672c)
  $produced = Produce "k1 $german`nk2 $japanese`n" 'topic produce orders -f "%k %v\n"'
  Has 'produce' 'Produced to partition' $produced
  $consumed = (Run topic consume orders -o :end -f '%k %v\n') -split "`n" | Sort-Object
  Is 'consume' "k1 $german`nk2 $japanese" ($consumed -join "`n")
  [void] (Run topic produce orders --generate sample -n 1000 --seed 1)
  Is 'search' "k1 $german" (Run topic search orders --contains $german -f '%k %v\n' --quiet)
  [void] (Run topic consume orders -n 1 -g try)
  Has 'groups' 'try' (Run group list)
  Has 'doctor' 'ok' (Run doctor)

  # A profile, and a password in the Credential Manager, under a name of its own.
  [void] (Run profile create try --set brokers=127.0.0.1:1)
  Has 'profile' '127.0.0.1:1' (Run config show brokers)
  [void] (Run profile use sandbox)
  $file = Join-Path $place 'keychain.yaml'
  [void] (& $weir --config $file profile create weir-try --set user=ana 2>&1)
  $password = Join-Path $place 'password.txt'
  [IO.File]::WriteAllText($password, 'geheim')
  $kept = (& $weir --config $file profile set pass --keychain --file $password 2>&1 | ForEach-Object { "$_" }) -join "`n"
  if ($LASTEXITCODE -eq 0) { Has 'keychain' 'keychain' ((& $weir --config $file config show pass) -join "`n") } else { Note 'FAILED' 'keychain' (First $kept) }
  [void] (& $weir --config $file profile delete weir-try --yes 2>&1)

  # Completion in this shell, as a profile would load it, for a program on the PATH.
  $env:PATH = "$place\$name;$env:PATH"
  try {
    Run completion powershell | Out-String | Invoke-Expression
    $found = [System.Management.Automation.CommandCompletion]::CompleteInput('weir topic cons', 15, $null)
    Has 'completion' 'consume' (($found.CompletionMatches | ForEach-Object { $_.CompletionText }) -join ' ')
  } catch { Note 'FAILED' 'completion' (First "$_") }
  Has 'completion of topics' 'orders' (Run __complete topics o)

  # Output that is no terminal has no colors.
  $escape = [string] [char] 27
  Is 'no colors in a pipe' 'False' "$((Run topic create orders).Contains($escape))"
  Is 'colors on demand' 'True' "$((Run topic create orders --color always).Contains($escape))"
  [void] (Run topic create orders)
  Is 'exit code of a failure' '6' "$script:code"

  if ($asksNothing) {
    Note 'skipped' 'terminal' 'needs a person'
    Note 'skipped' 'Ctrl-C' 'needs a person'
  } else {
    $env:APPDATA = Join-Path $place 'roaming'
    $env:LOCALAPPDATA = Join-Path $place 'local'
    & $weir topic create orders
    & $weir topic list
    & $weir topic search orders --contains $german -f '%k %v\n'
    $answer = Read-Host 'Is the error above colored, the table aligned, and is the last word German with an umlaut and a sharp s? [y/n]'
    if ($answer -like 'y*') { Note 'ok' 'terminal' 'seen by a person' } else { Note 'FAILED' 'terminal' "a person answered $answer" }
    # In a window of its own: here, Ctrl-C would end this script too.
    Write-Host 'Press Ctrl-C in the window that opens.'
    $waiting = Start-Process $weir -ArgumentList 'topic consume orders -o end' -PassThru
    [void] $waiting.Handle
    $waiting.WaitForExit()
    Is 'Ctrl-C' '130' "$($waiting.ExitCode)"
    $env:APPDATA = $real.APPDATA
    $env:LOCALAPPDATA = $real.LOCALAPPDATA
  }

  Has 'sandbox purge' 'sandbox' (Run sandbox purge --yes)
  $left = @(Get-Process weir -ErrorAction SilentlyContinue | Where-Object { $_.Path -eq $weir })
  Is 'nothing left running' '0' "$($left.Count)"
} finally {
  [void] (Run sandbox purge --yes)
  Remove-Item -Recurse -Force $place -ErrorAction SilentlyContinue
}

Write-Host "`nTo paste into the issue of the release:`n"
Write-Host '```'
Write-Host "$name on $([Environment]::OSVersion.VersionString), PowerShell $($PSVersionTable.PSVersion), $env:PROCESSOR_ARCHITECTURE"
$script:results | ForEach-Object { Write-Host $_ }
Write-Host "$script:failures failed"
Write-Host '```'
if ($script:failures -gt 0) { exit 1 }
