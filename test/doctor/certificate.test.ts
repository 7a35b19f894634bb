import { describe, expect, it } from 'vitest';
import { type ChainLink, type Handshake, judgeHandshake } from '../../src/doctor/certificate.ts';
import { CliError } from '../../src/errors.ts';

const nowMs = Date.parse('2026-11-22T00:00:00Z');
const peer = {
  name: 'broker b:9092',
  host: 'b',
  server: 'broker',
  keyPrefix: 'tls',
  addressHint: '-X brokers=HOST:PORT',
};

const own: ChainLink = {
  subject: 'b',
  issuer: 'a CA',
  names: 'DNS:b',
  validTo: Date.parse('2027-11-22T00:00:00Z'),
};
const good: Handshake = { protocol: 'TLSv1.3', links: [own], chainError: undefined, nameError: undefined };
const coded = (code: string): Error => Object.assign(new Error(code), { code });
const otherHost = Object.assign(coded('ERR_TLS_CERT_ALTNAME_INVALID'), {
  host: 'b',
  cert: { subjectaltname: 'DNS:c' },
});

const serverNameHint =
  'if the broker is meant to be reached under another name, as through a tunnel, set its own: -X tls.server_name=NAME';

function refusal(handshake: Handshake): CliError {
  try {
    judgeHandshake(handshake, { peer, verifies: true, nowMs });
  } catch (error) {
    if (error instanceof CliError) return error;
  }
  throw new Error('the handshake was accepted');
}

describe('the judgement of a TLS handshake', () => {
  it('describes a good certificate', () => {
    expect(judgeHandshake(good, { peer, verifies: true, nowMs })).toEqual({
      value: undefined,
      detail: 'TLSv1.3, certificate for DNS:b, issued by a CA, valid until 2027-11-22',
    });
  });

  it('names the subject if the certificate lists no names', () => {
    const { detail } = judgeHandshake({ ...good, links: [{ ...own, names: '' }] }, { peer, verifies: true, nowMs });
    expect(detail).toContain('certificate for b,');
  });

  it.each([
    ['2026-12-22T00:00:00Z', ['renew the certificate of b: it expires on 2026-12-22']],
    ['2026-11-22T01:00:00Z', ['renew the certificate of b: it expires on 2026-11-22']],
    ['2026-12-23T00:00:00Z', undefined],
  ])('warns up to 30 days before the expiry (%s)', (until, warning) => {
    const links = [{ ...own, validTo: Date.parse(until) }];
    expect(judgeHandshake({ ...good, links }, { peer, verifies: true, nowMs }).warning).toEqual(warning);
  });

  it('warns of an issuer that expires soon', () => {
    const issuer = { ...own, subject: 'a CA', validTo: Date.parse('2026-11-25T00:00:00Z') };
    const { warning } = judgeHandshake({ ...good, links: [own, issuer] }, { peer, verifies: true, nowMs });
    expect(warning).toEqual(['renew the certificate of a CA: it expires on 2026-11-25']);
  });

  it('reports the chain and the names together, with the advice for both', () => {
    const links = [{ ...own, validTo: Date.parse('2026-01-02T00:00:00Z') }];
    const error = refusal({ ...good, links, chainError: coded('CERT_HAS_EXPIRED'), nameError: otherHost });
    expect(error.message).toBe(
      'unable to connect to broker b:9092: TLS: the certificate of the broker has expired (valid until 2026-01-02); the certificate of the broker is valid for c, not for b',
    );
    expect(error.hints).toEqual([
      'renew it on the broker, or check the clock of this machine',
      'use an address whose host is in the certificate',
      serverNameHint,
    ]);
    expect(error.code).toBe('TLS_FAILED');
  });

  it('reports the names alone', () => {
    expect(refusal({ ...good, nameError: otherHost }).hints).toEqual([
      'use an address whose host is in the certificate',
      serverNameHint,
    ]);
  });

  it('warns instead if certificates are not verified', () => {
    const found = judgeHandshake({ ...good, nameError: otherHost }, { peer, verifies: false, nowMs });
    expect(found.detail).toMatch(/^the certificate of the broker is valid for c, not for b; TLSv1\.3, /);
    expect(found.warning).toEqual([
      'certificates are not verified: turn that on after solving the problem with -X tls.insecure_skip_verify=false',
    ]);
  });
});
