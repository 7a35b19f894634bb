import type { Cloud } from '../cloud/open.ts';
import type { Deadline } from '../deadline.ts';
import { CliError } from '../errors.ts';
import { startChain } from './chain.ts';
import type { Check } from './check-rows.ts';

/** Checks that there is a token for the control plane, and that the control plane accepts it. */
export async function checkCloud(cloud: Cloud, deadline: Deadline): Promise<readonly Check[]> {
  const target = cloud.place.apiUrl;
  const chain = startChain({ api: 'cloud', target, peer: '' }, deadline);
  const startedAt = deadline.clock.now();
  try {
    await cloud.token();
    chain.add('token', { detail: `a token for ${cloud.place.audience}` }, deadline.clock.now() - startedAt);
  } catch (error) {
    if (isLoggedOut(error)) {
      chain.skip('token', 'not logged in');
      return chain.checks;
    }
    chain.fail('token', error, deadline.clock.now() - startedAt);
  }
  await chain.run('authorization', async () => {
    const { length } = await cloud.listResourceGroups();
    return { value: undefined, detail: length === 1 ? 'sees 1 resource group' : `sees ${length} resource groups` };
  });
  return chain.checks;
}

function isLoggedOut(error: unknown): boolean {
  return error instanceof CliError && error.code === 'NOT_LOGGED_IN';
}
