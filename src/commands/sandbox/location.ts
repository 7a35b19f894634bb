import { flag } from '../../cli/command.ts';
import { withoutSecrets } from '../../config/child-process.ts';
import type { Context, Progress } from '../../context.ts';
import { type Kind, text } from '../../kinds.ts';
import { defaultName, type SandboxLocation } from '../../sandbox/sandbox.ts';

const sandboxName: Kind<string> = { ...text, completes: 'sandbox' };

/** `--name` of every command about one sandbox. */
export const nameFlag = flag(sandboxName, { help: 'name of the sandbox', fallback: defaultName });

/** The place of the named sandbox on this machine; long steps are reported to `progress`. */
export function locationOf(
  { host, signal, lockWait, openEnded, step, notice }: Context,
  name: string,
  progress?: Progress,
): SandboxLocation {
  const { env, home, platform, runtime } = host;
  return {
    name,
    machine: {
      // Nothing that runs in a sandbox needs the secrets of other clusters.
      env: { ...env, ...withoutSecrets },
      home,
      platform,
      uid: runtime.uid,
      signal,
      lockWait,
      openEnded,
      notice,
      progress(line) {
        step(line);
        progress?.report({ detail: line });
      },
    },
  };
}
