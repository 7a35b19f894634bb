import { safePlace } from '../config/child-directory.ts';
import { withoutSecrets } from '../config/child-environment.ts';
import type { Context } from '../context.ts';

/** Opens a page in the browser; a failure is not an error, because the address was printed. */
export async function openBrowser({ host, step }: Context, url: string): Promise<void> {
  const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  };
  const [file, ...args] = openers[host.platform] ?? ['xdg-open'];
  await host
    .spawn(file, [...args, url], { stdio: 'capture', ...safePlace(host), env: withoutSecrets })
    .catch(() => step(`unable to start ${file}`));
}
