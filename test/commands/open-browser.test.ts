import { expect, test } from 'vitest';
import { openBrowser } from '../../src/commands/open-browser.ts';
import type { Context } from '../../src/context.ts';

test.each([
  ['win32', 'rundll32', 'C:\\Users\\alice'],
  ['linux', 'xdg-open', undefined],
] as const)('on %s the browser is not looked for in a directory of someone else', async (platform, program, cwd) => {
  const started: unknown[] = [];
  const host = {
    platform,
    home: 'C:\\Users\\alice',
    spawn: async (file: string, _args: readonly string[], options: { readonly cwd?: string }) =>
      void started.push([file, options.cwd]),
  };
  await openBrowser({ host, step: () => undefined } as unknown as Context, 'https://auth.example');
  expect(started).toEqual([[program, cwd]]);
});
