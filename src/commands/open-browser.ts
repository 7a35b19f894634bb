import { withoutSecrets } from '../config/child-environment.ts';
import type { Context } from '../context.ts';

/** Opens a page in the browser; a failure is not an error, because the address was printed. */
export async function openBrowser({ host, step }: Context, url: string): Promise<void> {
  const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  };
  const [file, ...args] = openers[host.platform] ?? ['xdg-open'];
  // Windows looks for programs in the working directory first, which may be full of files of someone else.
  const place = host.platform === 'win32' && host.home !== undefined ? { cwd: host.home } : {};
  await host
    .spawn(file, [...args, url], { stdio: 'capture', ...place, env: withoutSecrets })
    .catch(() => step(`unable to start ${file}`));
}
