import { describe, expect, test } from 'vitest';
import { optionOf } from '../../../src/config/options.ts';
import { renderPrompt } from '../../../src/config/profile/prompt-format.ts';

const esc = '\u001b';
const color = { color: true };

describe('the prompt', () => {
  test('is the name on red by default', () => {
    expect(renderPrompt(String(optionOf('globals.prompt').fallback), 'one', color)).toBe(`${esc}[41mone${esc}[0m`);
  });

  test.each([
    ['', 'one'],
    ['red', `${esc}[31mone${esc}[0m`],
    ['RED', `${esc}[31mone${esc}[0m`],
    ['"a"', 'a'],
    ['""', 'one'],
    ['hi-white, bg-red, bold, "[%p]"', `${esc}[97;41;1m[one]${esc}[0m`],
    ['"%n" bg-hi-cyan underline', `${esc}[106;4mone${esc}[0m`],
    ['faint\tinvert hi-black bg-black white "x"', `${esc}[2;7;90;40;37mx${esc}[0m`],
    ['"100%% \\"%n\\" \\n"', '100% "one" n'],
    ['(red "a")(green "b")', `${esc}[31ma${esc}[0m${esc}[32mb${esc}[0m`],
    [' (red "(") , () ("b") ', `${esc}[31m(${esc}[0mb`],
    ['()', ''],
    ['(bold)', `${esc}[1mone${esc}[0m`],
  ])('%s', (format, shown) => expect(renderPrompt(format, 'one', color)).toBe(shown));

  test.each([
    ['purple "x"', /at character 1: unknown modifier "purple"/],
    ['hi-bg-red', /unknown modifier "hi-bg-red"/],
    ['red"a"', /at character 4: missing space or comma before the quote/],
    ['"a" "b"', /at character 5: only one quoted text is allowed/],
    ['red "abc', /at character 5: missing closing quote/],
    ['"a\\', /missing closing quote/],
    ['"%x"', /at character 2: unknown "%x"/],
    ['"50%"', /a single % \(write %%\)/],
    ['(red "a"', /missing "\)" at the end of a group/],
    ['("a") x', /expected "\(" between groups/],
    ['("a" ("b"))', /unknown modifier "\("/],
    ['red)', /unknown modifier "\)"/],
  ])('%s is an error that shows the place', (format, message) => {
    expect(() => renderPrompt(format, 'one', color)).toThrow(message);
  });

  test('without colour there are no escape sequences', () => {
    expect(renderPrompt('red, bold "%n"', 'one', { color: false })).toBe('one');
  });

  test('strips control characters from the name, so that it cannot control the terminal', () => {
    expect(renderPrompt('"%n"', `a${esc}[2J\nb\u0007\u202e`, color)).toBe('a[2Jb');
  });

  test.each([
    ['bash', `\u0001${esc}[31m\u000250%\u0001${esc}[0m\u0002`],
    ['zsh', `%{${esc}[31m%}50%%%{${esc}[0m%}`],
    ['fish', `${esc}[31m50%${esc}[0m`],
  ] as const)('has the markers of %s', (shell, shown) => {
    expect(renderPrompt('red "50%%"', 'one', { color: true, shell })).toBe(shown);
  });
});
