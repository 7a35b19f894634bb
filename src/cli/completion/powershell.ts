import type { Candidates, CompletionFlag, CompletionNode, CompletionTree } from './tree.ts';

/**
 * The completion script for PowerShell 5.1 and newer; it starts a process only for names that weir must find. Its words
 * are lines of a here-string, in which no character means anything, and which costs nothing before the first Tab.
 */
export function powershellCompletion(tree: CompletionTree): string {
  const lines = [
    ...tree.nodes.flatMap(nodeLines),
    ...tree.globalFlags.map((flag) => flagLine('*', flag)),
    ...tree.options.map(({ setting, help }) => line('x', '', setting, help)),
  ];
  return `# Completion of weir for PowerShell. Generated: do not edit.

# One word a line, between tabs: what it is (c: command, h: hidden command, f: flag, o: argument, x: option of -X), the command that it
# belongs to, its spellings, what it does, and for flags what their values are.
$global:__weirWords = @'
${lines.join('\n')}
'@
${runtime}`;
}

const runtime = `$global:__weirTable = $null

$global:__weirComplete = {
  param($wordToComplete, $commandAst, $cursorPosition)
  Set-StrictMode -Off
  $ErrorActionPreference = 'SilentlyContinue'

  if ($null -eq $global:__weirTable) {
    # Not @{}: its keys have no case, but -x and -X are two flags.
    $table = New-Object System.Collections.Hashtable
    foreach ($line in $global:__weirWords -split '\\r?\\n') {
      $kind, $place, $words, $help, $value = $line.Split([char]9)
      $spellings = $words.Split(',')
      foreach ($spelling in $spellings) {
        if ($kind -eq 'c' -or $kind -eq 'h') { $table["step $place/$spelling"] = "$place $($spellings[0])".Trim() }
        if ($kind -eq 'f' -and $null -ne $value) { $table["value $place/$spelling"] = $value }
        if ($kind -eq 'o') { $table["operand $place/$spelling"] = $value }
      }
      # A command is offered by its name, a flag by its long names.
      if ($kind -eq 'c') { $spellings = @($spellings[0]) }
      if ($kind -eq 'f') { $spellings = @($spellings | Where-Object { $_.StartsWith('--') }) }
      $key = "$kind $place"
      if (-not $table.ContainsKey($key)) { $table[$key] = New-Object System.Collections.ArrayList }
      foreach ($spelling in $spellings) { [void]$table[$key].Add(@($spelling, $help)) }
    }
    $global:__weirTable = $table
  }
  $table = $global:__weirTable

  # The words on both sides of the cursor, and what is typed of the one at the cursor.
  $before = @()
  $after = @()
  $current = ''
  $kept = ''
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    $word = $element.Extent.Text
    $isText = $element -is [System.Management.Automation.Language.StringConstantExpressionAst]
    $isQuoted = $isText -and $element.StringConstantType -ne 'BareWord'
    if ($isText) { $word = $element.Value }
    if ($element.Extent.EndOffset -lt $cursorPosition) { $before += $word }
    elseif ($element.Extent.StartOffset -ge $cursorPosition) { $after += $word }
    elseif ($isQuoted) { $current = $word }
    else {
      $current = $element.Extent.Text.Substring(0, $cursorPosition - $element.Extent.StartOffset)
      # PowerShell replaces only what follows the last comma.
      $kept = $current.Substring(0, $current.LastIndexOf(',') + 1)
    }
  }

  $place = ''
  $asked = ''
  $position = 0
  $source = $null
  $orFiles = $null
  foreach ($word in $before) {
    if ($null -ne $source) { $source = $null }
    elseif ($word.StartsWith('-')) {
      if (-not $word.Contains('=')) { $source = $table["value $place/$word"] }
      if (-not $word.Contains('=') -and $null -eq $source) { $source = $table["value */$word"] }
    }
    elseif ($table.ContainsKey("step $place/$word")) { $place = $table["step $place/$word"] }
    else {
      # For arguments that are commands themselves.
      if ($table.ContainsKey("step $asked/$word")) { $asked = $table["step $asked/$word"] }
      else { $asked += " $word" }
      $position += 1
    }
  }

  $prefix = ''
  $offers = @()
  $type = 'ParameterValue'
  $equals = $current.IndexOf('=')
  if ($null -eq $source -and $current.StartsWith('--') -and $equals -gt 0) {
    $flag = $current.Substring(0, $equals)
    $source = $table["value $place/$flag"]
    if ($null -eq $source) { $source = $table["value */$flag"] }
    $prefix = $current.Substring(0, $equals + 1)
  }
  elseif ($null -eq $source -and $current.StartsWith('-')) {
    $type = 'ParameterName'
    $offers = @($table["f $place"]) + @($table['f *'])
  }
  elseif ($null -eq $source -and $table.ContainsKey("c $place")) { $offers = @($table["c $place"]) }
  elseif ($null -eq $source) {
    $source = $table["operand $place/$position"]
    if ($null -eq $source) { $source = $table["operand $place/*"] }
  }
  $typed = $current.Substring($prefix.Length)

  if ($source) {
    # After a comma, the next value of a list.
    if ($source.StartsWith(',')) {
      $source = $source.Substring(1)
      $prefix += $typed.Substring(0, $typed.LastIndexOf(',') + 1)
      $typed = $current.Substring($prefix.Length)
    }
    # Without an answer, PowerShell offers files.
    if ($source -eq '@files' -or $source -eq '@directories') { return }
    $orFiles = $source -eq '@profiles-or-files'
    if ($orFiles) { $source = '@profiles' }
    if ($source -eq '@options') { $offers = @($table['x ']) }
    elseif ($source.StartsWith('@commands')) {
      $offers = @($table["c $asked"])
      if (-not $asked) { $offers += @($source.Split(' ') | Select-Object -Skip 1 | ForEach-Object { , @($_, '') }) }
    }
    elseif ($source.StartsWith('@')) {
      $program = $commandAst.GetCommandName()
      if (Test-Path "alias:$program") { $program = 'weir' }
      $exitCode = $global:LASTEXITCODE
      # Older versions drop empty arguments, so the typed word is attached to its flag.
      $subject, $words = $source.Substring(1).Split(' ')
      $found = & $program '__complete' ($subject + ':described') "--word=$typed" '--' @before @after 2>$null
      $global:LASTEXITCODE = $exitCode
      $offers = @($words | ForEach-Object { , @($_, '') }) + @($found | ForEach-Object { , "$_".Split([char]9) })
    }
    elseif ($source -ne '-') { $offers = @($source.Split(' ') | ForEach-Object { , @($_, '') }) }
  }

  $seen = New-Object System.Collections.Hashtable
  foreach ($offer in $offers) {
    $name, $about = $offer
    # The files for a key.
    if ($name -like '*=@files' -and $typed.StartsWith($name.Substring(0, $name.Length - 6))) {
      $key = $name.Substring(0, $name.Length - 6)
      foreach ($file in [System.Management.Automation.CompletionCompleters]::CompleteFilename($typed.Substring($key.Length))) {
        $text = "$prefix$key" + $file.CompletionText.Trim("'").Replace("''", "'")
        $seen[$text] = $true
        $text = $text.Substring($kept.Length)
        if ($text -notmatch '^[\\w./:=+%\\\\-]+$') { $text = "'" + $text.Replace("'", "''") + "'" }
        New-Object System.Management.Automation.CompletionResult -ArgumentList $text, $file.ListItemText, $type, $file.ToolTip
      }
      continue
    }
    # Keys first; values once the key is complete.
    if (-not $typed.Contains('=') -and $name -like '*=*') { $name = $name.Substring(0, $name.IndexOf('=') + 1) }
    if (-not $name -or $seen.ContainsKey($name)) { continue }
    if (-not $name.StartsWith($typed, [System.StringComparison]::Ordinal)) { continue }
    $seen[$name] = $true
    if (-not $about) { $about = $name }
    $text = "$prefix$name".Substring($kept.Length)
    if ($text -notmatch '^[\\w./:=+%-]+$') { $text = "'" + $text.Replace("'", "''") + "'" }
    New-Object System.Management.Automation.CompletionResult -ArgumentList $text, $name, $type, $about
  }
  # An empty answer keeps PowerShell from offering files.
  if ($seen.Count -eq 0) { if (-not $orFiles) { '' } }
}

# Completes aliases of weir, too, if they are set before this script runs.
$global:__weirNames = @('weir') + @(Get-Alias -Definition 'weir' -ErrorAction Ignore | ForEach-Object { $_.Name })
Register-ArgumentCompleter -Native -CommandName $global:__weirNames -ScriptBlock $global:__weirComplete
`;

function nodeLines({ path, commands, hidden, flags, operands }: CompletionNode): readonly string[] {
  const last = operands.findLastIndex(({ candidates }) => candidates.from !== 'nothing');
  return [
    ...commands.map(({ name, aliases, summary }) => line('c', path, [name, ...aliases].join(','), summary)),
    ...hidden.map((name) => line('h', path, name)),
    ...flags.map((flag) => flagLine(path, flag)),
    ...operands.slice(0, last + 1).map(({ candidates, repeats }, at) => {
      return line('o', path, repeats ? '*' : String(at), '', source(candidates));
    }),
  ];
}

function flagLine(path: string, { spellings, help, value, splits }: CompletionFlag): string {
  const values = value === undefined ? [] : [`${splits ? ',' : ''}${source(value)}`];
  return line('f', path, spellings.join(','), help, ...values);
}

/** PowerShell 5.1 takes a file without a byte order mark for one of the system's old character set. */
function line(...fields: readonly string[]): string {
  return fields
    .join('\t')
    .replaceAll('…', '...')
    .replace(/[^\t -~]/g, '?');
}

/** A hyphen is a value that nothing is known about. */
function source(candidates: Candidates): string {
  if (candidates.from === 'words') return candidates.words.join(' ');
  if ('words' in candidates) return [`@${candidates.from}`, ...candidates.words].join(' ');
  return candidates.from === 'nothing' ? '-' : `@${candidates.from}`;
}
