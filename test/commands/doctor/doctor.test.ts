import { describe, expect, it } from 'vitest';
import { showHostPort } from '../../../src/net/address.ts';
import { deadAddress } from '../../services/dead-address.ts';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';
import { checkOf, type Env, examine, sasl, statuses } from './examine.ts';

const tls = (): Env => ({ WEIR_TLS_ENABLED: 'true', WEIR_TLS_CA: services().certificates.ca });

const laterSteps = ['listener skipped', 'authorization skipped'];

describe('doctor', () => {
  it('passes every step to a broker with TLS and SASL', async () => {
    const { saslTls, user } = services();
    const { checks, outcome } = await examine({ WEIR_BROKERS: saslTls, ...tls(), ...sasl(user) });
    expect({ stderr: outcome.stderr, exitCode: outcome.exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(statuses(checks)).toEqual([
      'dns skipped',
      'tcp ok',
      'tls ok',
      'api_versions ok',
      'sasl ok',
      'metadata ok',
      'listener ok',
      'authorization ok',
    ]);
    expect(checkOf(checks, 'tls').detail).toMatch(
      /^TLSv1\.3, certificate for DNS:localhost, .*, issued by weir tests, valid until \d{4}-\d\d-\d\d$/,
    );
    expect(checkOf(checks, 'sasl').detail).toBe('SCRAM-SHA-256 as user "alice"');
    expect(checkOf(checks, 'metadata').detail).toMatch(/^cluster \S+, 1 broker, controller 1$/);
    expect(checkOf(checks, 'authorization').detail).toMatch(
      /^user "alice" sees (?:no|\d+) topics?; rights on the cluster: .*ALTER/,
    );
  });

  it('prints the checks as a table, and the APIs that are not configured as skipped', async () => {
    const { stdout, exitCode } = await run('doctor', { env: { WEIR_BROKERS: services().plaintext } });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^API +TARGET +STEP +STATUS +DETAIL$/m);
    expect(stdout).not.toMatch(/^kafka .* skipped /m);
    expect(stdout).toContain('\n3 steps skipped; to show them: --format wide\n');
    expect(stdout).toMatch(
      /^admin +- +config +skipped +not needed: the cluster is not Redpanda, so it has no Admin API$/m,
    );
    expect(stdout).toMatch(/^registry +- +config +skipped +registry\.hosts is not set$/m);
    expect(stdout).not.toContain('WHAT TO DO');
  });

  it('wide adds the time of each check and the code of each failure', async () => {
    await using dead = await deadAddress();
    const { stdout, exitCode } = await run('doctor --format wide', {
      env: { WEIR_BROKERS: showHostPort(dead.address) },
    });
    expect(exitCode).toBe(10);
    expect(stdout).toMatch(/^API +TARGET +STEP +STATUS +MILLISECONDS +CODE +DETAIL$/m);
    expect(stdout).toMatch(/tcp +failed +[\d.]+ +CONNECTION_REFUSED +connection refused$/m);
    expect(stdout).toMatch(/^API +TARGET +STEP +ADVICE$/m);
    expect(stdout).toMatch(/^kafka +127\.0\.0\.1:\d+ +tcp +check the address /m);
  });

  it('reports a certificate for another host with the names that it is for', async () => {
    const { checks, outcome } = await examine({ WEIR_BROKERS: services().tlsOtherHost, ...tls() });
    expect(outcome.exitCode).toBe(10);
    expect(statuses(checks)).toEqual([
      'dns skipped',
      'tcp ok',
      'tls failed',
      'api_versions skipped',
      'sasl skipped',
      'metadata skipped',
      ...laterSteps,
    ]);
    expect(checkOf(checks, 'tls')).toMatchObject({
      detail: 'the certificate of the broker is valid for other.example, not for 127.0.0.1',
      hints: [
        'use an address whose host is in the certificate',
        'if the broker is meant to be reached under another name, as through a tunnel, set its own: -X tls.server_name=NAME',
      ],
      error_code: 'TLS_FAILED',
    });
    expect(checkOf(checks, 'sasl').detail).toBe('tls failed');
  });

  it('reports an expired certificate with its date', async () => {
    const { checks, outcome } = await examine({ WEIR_BROKERS: services().tlsExpired, ...tls() });
    expect(outcome.exitCode).toBe(10);
    expect(checkOf(checks, 'tls')).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/^the certificate of the broker has expired \(valid until \d{4}-\d\d-\d\d\)$/),
    });
  });

  it('reports a chain that is not trusted', async () => {
    const { certificates, tls: address } = services();
    const { checks, outcome } = await examine({ WEIR_BROKERS: address, WEIR_TLS_CA: certificates.wrongCa });
    expect(outcome.exitCode).toBe(10);
    expect(checkOf(checks, 'tls')).toMatchObject({ status: 'failed', detail: expect.stringContaining('CA') });
    expect(checkOf(checks, 'tls').hints).toEqual(['specify the CA that signed it: -X tls.ca=FILE']);
  });

  it('warns of what it would refuse if certificates were verified', async () => {
    const env = { WEIR_BROKERS: services().tlsExpired, ...tls(), WEIR_TLS_INSECURE_SKIP_VERIFY: 'true' };
    const { checks, outcome } = await examine(env);
    expect(outcome.exitCode).toBe(0);
    expect(checkOf(checks, 'tls')).toMatchObject({ status: 'warning', detail: expect.stringContaining('has expired') });
    expect(checkOf(checks, 'listener').status).toBe('ok');
  });

  it('reports a refused client certificate at the step TLS', async () => {
    const { checks, outcome } = await examine({ WEIR_BROKERS: services().mtls, ...tls() });
    expect(outcome.exitCode).toBe(10);
    expect(checkOf(checks, 'tls')).toMatchObject({ status: 'failed' });
    expect(checkOf(checks, 'tls').hints.join()).toContain('-X tls.cert=FILE');
  });

  it('reports a wrong password at the step SASL, without the password', async () => {
    const { sasl: address, user } = services();
    const { checks, outcome } = await examine({
      WEIR_BROKERS: address,
      ...sasl({ user: user.user, pass: 'wrong-canary' }),
    });
    expect(outcome.exitCode).toBe(10);
    expect(statuses(checks).slice(3)).toEqual(['api_versions ok', 'sasl failed', 'metadata skipped', ...laterSteps]);
    expect(checkOf(checks, 'sasl')).toMatchObject({
      error_code: 'SASL_AUTHENTICATION_FAILED',
      hints: ['check user, pass and sasl.mechanism', 'check both: user is from WEIR_USER, pass is from WEIR_PASS'],
    });
    expect(outcome.stdout + outcome.stderr).not.toContain('canary');
  });

  it('reports a connection without TLS to a port with TLS', async () => {
    const { checks, outcome } = await examine({ WEIR_BROKERS: services().tls });
    expect(outcome.exitCode).toBe(10);
    expect(checkOf(checks, 'api_versions').status).toBe('failed');
    expect(checkOf(checks, 'api_versions').hints.join()).toContain('tls.enabled=true');
  });

  it('reports a connection with TLS to a port without TLS', async () => {
    const env = { WEIR_BROKERS: services().plaintext, ...tls(), WEIR_GLOBALS_DIAL_TIMEOUT: '1s' };
    const { checks, outcome } = await examine(env);
    expect(outcome.exitCode).toBe(10);
    expect(checkOf(checks, 'tcp')).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^connected( to 127\.0\.0\.1)?$/),
    });
    expect(checkOf(checks, 'tls').status).toBe('failed');
    expect(checkOf(checks, 'tls').hints.join()).toContain('tls.enabled=false');
  });

  it('names an advertised listener that cannot be reached, and the seed broker that reported it', async () => {
    const { badlyAdvertised, badlyAdvertisedAs } = services();
    const { checks, outcome } = await examine({ WEIR_BROKERS: badlyAdvertised });
    expect(outcome.exitCode).toBe(10);
    expect(checkOf(checks, 'listener')).toMatchObject({
      target: `1 (${badlyAdvertisedAs})`,
      status: 'failed',
      detail: `TCP: connection refused (broker 1 advertises the listener ${badlyAdvertisedAs}, according to seed broker ${badlyAdvertised})`,
      hints: ['set advertised.listeners of broker 1 to an address that this machine can reach'],
    });
    expect(checkOf(checks, 'authorization').status).toBe('ok');
  });

  it('reports a principal without rights, and how to allow something', async () => {
    const { sasl: address, user } = services();
    const name = `doctor-${process.pid}`;
    const admin = { env: { WEIR_BROKERS: services().plaintext } };
    await run(['security', 'user', 'create', name, '--password-stdin'], { ...admin, stdin: user.pass });
    const deny = ['--deny-principal', name, '--operation', 'all', '--topic', '*', '--cluster'];
    await run(['security', 'acl', 'create', ...deny], admin);
    try {
      const { checks, outcome } = await examine({ WEIR_BROKERS: address, ...sasl({ user: name, pass: user.pass }) });
      expect(outcome.exitCode).toBe(10);
      expect(checkOf(checks, 'listener').status).toBe('ok');
      expect(checkOf(checks, 'authorization')).toMatchObject({
        status: 'failed',
        error_code: 'NO_RIGHTS',
        detail: `user "${name}" sees no topic and has no rights on the cluster`,
      });
      expect(checkOf(checks, 'authorization').hints.join()).toContain('weir security acl create');
    } finally {
      await run(['security', 'acl', 'delete', '--deny-principal', name, '--yes'], admin);
      await run(['security', 'user', 'delete', name], admin);
    }
  });

  it('reports a host name that does not resolve, and checks the other seed broker', async () => {
    const env = { WEIR_BROKERS: `nope.invalid:9092,${services().plaintext}` };
    const { checks, outcome } = await examine(env);
    expect(outcome.exitCode).toBe(10);
    expect(checkOf(checks, 'dns')).toMatchObject({ status: 'failed', error_code: 'DNS_FAILED' });
    expect(statuses(checks).slice(6)).toEqual([
      'dns skipped',
      'tcp ok',
      'tls skipped',
      'api_versions ok',
      'sasl skipped',
      'metadata ok',
      'listener ok',
      'authorization ok',
    ]);
  });

  it('reports a half configuration as a failed check', async () => {
    const { checks, outcome } = await examine({ WEIR_BROKERS: services().plaintext, WEIR_USER: 'ana' });
    expect(outcome.exitCode).toBe(10);
    expect(checkOf(checks, 'config')).toMatchObject({ status: 'failed', detail: 'user is set, but pass is not' });
  });

  it('checks the brokers at their default address only if no other API is configured', async () => {
    const { checks } = await examine({ WEIR_REGISTRY_HOSTS: 'nope.invalid' });
    expect(statuses(checks)).toEqual(['config skipped']);
    expect(checkOf(checks, 'config').detail).toBe('brokers is not set');
  });
});
