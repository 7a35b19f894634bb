import { PassThrough } from 'node:stream';
import { expect, vi } from 'vitest';
import { services } from '../../services/services.ts';
import { run, type World } from '../../world.ts';

/** A superuser: the listener without SASL. */
export function admin(more: World = {}): World {
  return { ...more, env: { WEIR_BROKERS: services().plaintext, ...more.env } };
}

/** A world that logs in with SCRAM. */
export function loggedIn(user: string, pass: string, mechanism = 'SCRAM-SHA-256'): World {
  return {
    env: {
      WEIR_BROKERS: services().sasl,
      WEIR_USER: user,
      WEIR_PASS: pass,
      WEIR_SASL_MECHANISM: mechanism,
      WEIR_GLOBALS_RETRY_TIMEOUT: '0s',
    },
  };
}

/** The exit code of a command of a user who logs in with SCRAM, after every change made so far. */
export async function login(user: string, pass: string, mechanism?: string): Promise<number> {
  await settled();
  return (await run('cluster info -c', loggedIn(user, pass, mechanism))).exitCode;
}

/** A person at a terminal who answers each prompt for a password with the next of these lines. */
export function typing(...lines: readonly string[]): World {
  const typed = new PassThrough();
  const left = [...lines];
  return {
    stdin: typed,
    terminal: { stdin: true, stderr: true },
    onStderr: (text) => {
      if (text.endsWith(': ')) typed.write(`${left.shift() ?? ''}\r`);
    },
  };
}

/** Runs a line as the superuser; fails if it fails. What it changes holds when it is done. */
export async function must(line: string, more: World = {}): Promise<string> {
  const stdout = await succeed(line, more);
  await settled();
  return stdout;
}

async function succeed(line: string, more: World = {}): Promise<string> {
  const { stdout, stderr, exitCode } = await run(line, admin(more));
  if (exitCode !== 0) throw new Error(`weir ${line}: exit ${exitCode}: ${stderr}`);
  return stdout;
}

/** Files share workers and brokers, but each counts its fences anew. */
const fenceOfFile = `fence-${Math.random().toString(36).slice(2, 8).padEnd(6, '0')}`;

let fences = 0;

/**
 * Waits until the broker applies every change that the controller has acknowledged. A broker follows the controller's
 * log a moment later, user by user and ACL by ACL (Kafka's BrokerMetadataPublisher; ACLs come last), so that an ACL made
 * now holds after all that came before.
 */
async function settled(): Promise<void> {
  const fence = `--allow-principal ${fenceOfFile}-${fences++}`;
  await succeed(`security acl create ${fence} --operation read --group fence`);
  const isThere = async () => expect(await succeed(`security acl list ${fence} --format json`)).toContain('fence');
  await vi.waitFor(isThere, 20_000);
  await succeed(`security acl delete ${fence} --yes`);
}

/**
 * Makes a user who may do nothing with the cluster. Everyone else may: other tests on the same broker do not notice.
 * @returns the world of that user
 */
export async function withoutRights(user: string): Promise<World> {
  await must(`security user create ${user} --password-stdin`, { stdin: 'without-rights' });
  await must(`security acl create --allow-principal * --deny-principal ${user} --operation all --cluster`);
  return loggedIn(user, 'without-rights');
}

/** Removes what `withoutRights` has made, except the permission of everyone else. */
export async function removeUser(user: string): Promise<void> {
  await run(`security acl delete --deny-principal ${user} --allow-principal ${user} --yes`, admin());
  await run(`security user delete ${user} --yes`, admin());
}
