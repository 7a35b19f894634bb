import { settingRow } from '../../config/resolve/provenance.ts';
import type { Context } from '../../context.ts';
import type { Checkup } from '../../doctor/check-rows.ts';
import { absolutePath } from '../../files/locations.ts';
import { replaceFile } from '../../files/replace.ts';
import { showUtcTime } from '../../format/time.ts';
import { version } from '../../version.ts';

/** The result of a checkup and when it began, in milliseconds since the epoch. */
interface Reported {
  readonly checkup: Checkup;
  readonly startedAt: number;
}

/**
 * Writes a support report, whole or not at all, with mode 0600. It leaves out the command line and the environment,
 * which may contain secrets.
 */
export async function writeReport(context: Context, file: string, reported: Reported): Promise<void> {
  const text = `${JSON.stringify(await reportOf(context, reported), undefined, 2)}\n`;
  await replaceFile(absolutePath(context.host, file), text);
}

async function reportOf({ config, host }: Context, { checkup, startedAt }: Reported): Promise<object> {
  const { profile, settings } = await config();
  return {
    versions: { weir: version, runtime: host.runtime.name, os: host.platform, arch: host.runtime.arch },
    started_at: showUtcTime(startedAt),
    duration_ms: host.now() - startedAt,
    profile: profile?.name ?? null,
    config: settings.map((setting) => settingRow(setting, false)),
    checkup,
  };
}
