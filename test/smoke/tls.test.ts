import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { type Certificate, issue, makeAuthority } from '../../src/sandbox/certificates.ts';
import { atEndOfFile } from '../at-end.ts';
import { runner, weir } from '../built.ts';
import { temporaryDirectory } from '../world.ts';

const home = temporaryDirectory();
const ca = join(home, 'ca.pem');
let authority: Certificate;

beforeAll(async () => {
  authority = await makeAuthority('test CA', Date.now());
  writeFileSync(ca, authority.cert);
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEndOfFile(async () => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Starts a registry without subjects, whose certificate is for `localhost` unless more is said. */
async function startRegistry(more: Partial<Parameters<typeof issue>[1]> = {}) {
  const certificate = await issue(authority, { name: 'r', use: 'server', hosts: ['localhost'], ...more }, Date.now());
  const asked: unknown[] = [];
  const server = createServer(certificate, (request, response) => {
    asked.push((request.socket as TLSSocket).servername);
    response.setHeader('content-type', 'application/json').setHeader('connection', 'close').end('[]');
  });
  server.on('tlsClientError', () => undefined);
  return { port: await listening(server), asked };
}

async function list(url: string, ...more: readonly string[]) {
  const options = [`registry.hosts=${url}`, ...(more.length > 0 ? more : [`registry.tls.ca=${ca}`])];
  const words = ['registry', 'subject', 'list', ...options.flatMap((option) => ['-X', option])];
  const { all, exitCode } = await execa(runner, [weir, ...words], {
    env: { PATH: process.env.PATH, HOME: home },
    extendEnv: false,
    reject: false,
    all: true,
    timeout: 60_000,
  });
  return [all, exitCode];
}

test('a host with a dot at its end is asked for without it, because other servers refuse that', async () => {
  const { port, asked } = await startRegistry({ hosts: ['r1.example'] });
  const proxy = createPlainServer().on('connect', (_, socket) => {
    const there = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    socket.on('error', () => there.destroy());
    there.pipe(socket).pipe(there);
  });
  const way = `globals.proxy=http://127.0.0.1:${await listening(proxy)}`;
  const printed = await list('https://r1.example.', way, `registry.tls.ca=${ca}`);
  expect([printed, asked]).toEqual([[expect.not.stringContaining('weir:'), 0], ['r1.example']]);
});

test.each<[string, Parameters<typeof startRegistry>[0], string]>([
  ['for another host', { hosts: ['other.example'] }, 'is valid for other.example, not for localhost'],
  ['whose common name alone is the host', { name: 'localhost', hosts: [] }, 'has no subject alternative name'],
  ['that has expired', { expired: true }, 'has expired'],
])('a certificate %s is refused in plain words', async (_, more, reason) => {
  const { port } = await startRegistry(more);
  const message = `TLS: the certificate of the schema registry ${reason}\nhint: `;
  expect(await list(`https://localhost:${port}`)).toEqual([expect.stringContaining(message), 5]);
});

test('a certificate of an unknown authority, and a port without TLS, are named in plain words', async () => {
  const { port } = await startRegistry();
  const unknown = 'is signed by a CA that is not trusted\n';
  expect(await list(`https://localhost:${port}`, 'registry.tls.ca=')).toEqual([expect.stringContaining(unknown), 5]);
  const plain = await listening(createPlainServer());
  const without = 'TLS: the schema registry does not speak TLS on this port\n';
  expect(await list(`https://localhost:${plain}`)).toEqual([expect.stringContaining(without), 5]);
});
