import type { ShadowLink } from '../../admin/shadow/link-rows.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, notFoundError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { anyName, type Kind } from '../../kinds.ts';

/** The name of a shadow link. */
export const linkName: Kind<string> = { ...anyName, name: 'link', hint: 'LINK', completes: 'shadow-link' };

/** Returns a shadow link. @throws CliError (exit 3) naming those that there are */
export async function requireLink({ admin }: Pick<Context, 'admin'>, name: string): Promise<ShadowLink> {
  try {
    return await (await admin()).shadowLink(name);
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== exitCodes.notFound) throw error;
    const names = (await (await admin()).shadowLinks()).map((one) => excerpt(one.name)).join(', ');
    throw notFoundError(
      `the cluster has no shadow link "${name}"${names === '' ? ': it has none' : `, only ${names}`}`,
      {
        code: 'LINK_NOT_FOUND',
        target: name,
        hints: ['a link is on the cluster that has the copies, not on the source'],
      },
    );
  }
}
