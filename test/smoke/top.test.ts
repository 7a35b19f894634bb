import xterm from '@xterm/headless';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { runner, weir } from '../built.ts';
import { openStage } from '../transcripts/stage.ts';
import { run, temporaryDirectory } from '../world.ts';

/**
 * Starts the live view from a shell in a terminal, resizes it, stops it with Ctrl-Z, continues it in another size, and ends it
 * once with q and once with Ctrl-C.
 */
const script = `
set timeout 120
set stty_init "rows 24 columns 80"
spawn -noecho bash --norc --noprofile -i
proc await {what} { expect -ex $what {} timeout { puts "no $what"; exit 9 } }
proc prompt {} { await "READY> " }
prompt
send "$env(LINE)\\r"
await "1 overview"
exec stty rows 12 columns 40 < $spawn_out(slave,name)
await "\\[overview\\]"
send "2"
await "\\[topics\\]"
send "\\x1a"
prompt
send "stty -a | grep -o -e '-*icanon' -e ' -*echo '; echo a=\\$?\\r"
await "a="
prompt
exec stty rows 20 columns 60 < $spawn_out(slave,name)
send "fg\\r"
await "\\[2 topics\\]"
send "q"
prompt
send "echo q=\\$?\\r"
prompt
send "$env(LINE)\\r"
await "overview"
send "\\x03"
prompt
send "echo c=\\$?\\r"
prompt
send "exit\\r"
expect eof
`;

/** The lines of a screen after what was written to it. */
async function screenAfter(written: string, columns: number, rows: number) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(written, done));
  const { active } = terminal.buffer;
  const lines = Array.from(
    { length: rows },
    (_, at) => active.getLine(active.baseY + at)?.translateToString(true) ?? '',
  );
  return { type: active.type, lines };
}

test('the live view fills a terminal, follows its size, stops and goes on as a job of the shell, and leaves it as it was', async () => {
  const stage = await openStage(['brokers']);
  try {
    await run('topic create orders -p 2', { env: stage.env });
    const home = temporaryDirectory();
    const { stdout, exitCode } = await execa('expect', ['-c', script], {
      env: {
        PATH: process.env.PATH,
        HOME: home,
        PS1: 'READY> ',
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        // As below a script, which is stopped with weir.
        LINE: `sh -c '${runner} ${weir} top --color never; exit $?'`,
        ...stage.env,
      },
      extendEnv: false,
      reject: false,
      timeout: 230_000,
    });
    expect(exitCode, stdout).toBe(0);
    const leave = '\u001b[m\u001b[2J\u001b[?7h\u001b[?25h\u001b[?1049l';
    const [first = '', stopped = '', ended = ''] = stdout.split(leave);
    const small = await screenAfter(first.slice(first.indexOf('\u001b[?1049h')), 40, 12);
    expect(small.type).toBe('alternate');
    expect(small.lines[0]).toMatch(/^weir top {2}127\.0\.0\.1:\d+/);
    expect(small.lines.slice(3, 6)).toEqual([
      '[topics]',
      expect.stringMatching(/^ {2}TOPIC +RECORDS\/S BYTES\/S/),
      expect.stringMatching(/^> orders/),
    ]);
    expect(small.lines.at(-1)).toBe('q quit  ? help  tab view  s sort');
    // The shell has its terminal back, then the view comes back as it was.
    expect(stopped).toMatch(/Stopped[\s\S]*\bicanon\r\n echo /);
    const larger = await screenAfter(stopped.slice(stopped.indexOf('\u001b[?1049h')), 60, 20);
    expect(larger.lines.join('\n')).toMatch(/^ 1 overview \[2 topics\].*\n {2}TOPIC .*\n> orders .*\n*q quit /m);
    expect(ended).toContain('q=0');
    const whole = await screenAfter(stdout, 40, 12);
    expect([
      whole.type,
      stdout.includes('c=130'),
      stdout.lastIndexOf('\u001b[?25h') > stdout.lastIndexOf('\u001b[?25l'),
    ]).toEqual(['normal', true, true]);
  } finally {
    await stage.close();
  }
});
