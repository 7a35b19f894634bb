import { safeDirectory, withoutSecrets } from '../config/child-process.ts';
import type { Context } from '../context.ts';
import { tellRoughTime } from '../format/rough-time.ts';
import type { LoginPrompt } from '../sign-in/tokens/device-login.ts';

/** Prints the page of a login, and the code to compare there; opens it in the browser too, if wanted. */
export function showLoginPage(context: Context, { url, code, expiresInMs }: LoginPrompt, opens: boolean): void {
  const check = code === undefined ? '' : ` and check the code ${code}`;
  context.notice(`open ${url}${check} (valid for ${tellRoughTime(expiresInMs)})`);
  if (opens && !context.flags.noInput) void openBrowser(context, url);
}

/** Opens a page in the browser; a failure is not an error, because the address was printed. */
export async function openBrowser({ host, step }: Context, url: string): Promise<void> {
  const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  };
  const [file, ...args] = openers[host.platform] ?? ['xdg-open'];
  await host
    .spawn(file, [...args, url], { stdio: 'capture', ...safeDirectory(host), env: withoutSecrets })
    .catch(() => step(`unable to start ${file}`));
}
