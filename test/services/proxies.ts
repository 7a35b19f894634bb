import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePorts } from '../../src/sandbox/ports.ts';
import { nssWrapperFiles } from '../tools.ts';
import { temporaryDirectory } from '../world.ts';
import { farHost } from './brokers.ts';

/** A proxy that is a program of others, with a user `user` and a password; it ends with `await using`. */
export interface RunningProxy extends AsyncDisposable {
  readonly address: string;
}

/** The password of microsocks; tinyproxy takes only letters, digits and a few marks. */
export const proxyPassword = 'p@ss: w\u00f6rd';

/** Starts microsocks, a SOCKS5 proxy. */
export function startMicrosocks(): Promise<RunningProxy> {
  return start('microsocks', (port) => ['-i', '127.0.0.1', '-p', String(port), '-u', 'user', '-P', proxyPassword]);
}

/** Starts tinyproxy, an HTTP proxy. */
export function startTinyproxy(): Promise<RunningProxy> {
  return start('tinyproxy', (port, directory) => {
    const file = join(directory, 'tinyproxy.conf');
    const lines = [`Port ${port}`, 'Listen 127.0.0.1', 'Timeout 600', 'LogLevel Error', `BasicAuth user pass-w0rd`];
    writeFileSync(file, `${lines.join('\n')}\n`);
    return ['-d', '-c', file];
  });
}

/** Starts a program that alone knows the name of the broker. */
async function start(
  program: string,
  words: (port: number, directory: string) => readonly string[],
): Promise<RunningProxy> {
  const [port = 0] = await freePorts(1);
  const directory = temporaryDirectory();
  const hosts = join(directory, 'hosts');
  writeFileSync(hosts, `127.0.0.1 ${farHost}\n`);
  const library = nssWrapperFiles.find((file) => existsSync(file));
  if (library === undefined) throw new Error('the tests need nss_wrapper (Debian: libnss-wrapper)');
  const env = { ...process.env, LD_PRELOAD: library, NSS_WRAPPER_HOSTS: hosts };
  const child = spawn(program, words(port, directory), { env, stdio: 'ignore' });
  const ended = once(child, 'exit').catch((error: unknown) => {
    throw new Error(`the tests need ${program}: ${String(error)}`);
  });
  await Promise.race([listens(port), ended]);
  if (child.exitCode !== null) throw new Error(`${program} has ended with exit code ${child.exitCode}`);
  return {
    address: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function listens(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    } finally {
      socket.destroy();
    }
  }
}
