import { expect, test } from 'vitest';
import { findContradictions, remarkFallbacks, warnOfMixedSources } from '../../src/config/checks.ts';
import type { Source } from '../../src/config/config.ts';
import type { OptionKey } from '../../src/config/options.ts';
import { newDraft, putText } from '../../src/config/resolve/layer.ts';
import { mergeLayers } from '../../src/config/resolve/merge.ts';

type Given = Partial<Record<Source, Partial<Record<OptionKey, string>>>>;

/** Layers with these texts; the origin of each is its source and key. */
function layersOf(given: Given) {
  return (['flag', 'env', 'profile', 'broker'] as const).flatMap((source) => {
    const texts = given[source];
    if (texts === undefined) return [];
    const draft = newDraft(source);
    for (const [key, text] of Object.entries(texts)) putText(draft, key as OptionKey, text, `${source} ${key}`);
    expect(draft.errors).toEqual([]);
    return [draft];
  });
}

test.each<[Given, string | undefined]>([
  [
    { flag: { 'admin.hosts': 'http://a', 'admin.tls.enabled': 'true' } },
    'admin.hosts (flag admin.hosts) has an http:// address, but admin.tls.enabled (flag admin.tls.enabled) is true',
  ],
  [
    { flag: { 'registry.hosts': 'b,http://a' }, env: { 'registry.tls.enabled': 'true' } },
    'registry.hosts (flag registry.hosts) has an http:// address, but registry.tls.enabled (env registry.tls.enabled) is true',
  ],
  [
    { flag: { 'admin.hosts': 'http://a', 'admin.tls.enabled': 'false' }, env: { 'admin.tls.enabled': 'true' } },
    undefined,
  ],
  [{ flag: { 'admin.hosts': 'https://a', 'admin.tls.enabled': 'true' } }, undefined],
  [{ flag: { 'admin.hosts': 'http://a', 'registry.tls.enabled': 'true' } }, undefined],
  [{ flag: { 'admin.hosts': 'http://a', 'admin.tls.ca': '/ca' } }, undefined],
  [
    { flag: { 'sasl.mechanism': 'OAUTHBEARER' }, env: { pass: 'token:eyJ' } },
    'pass (env pass) is the token for OAUTHBEARER, as rpk has it',
  ],
  [{ flag: { 'sasl.mechanism': 'PLAIN', pass: 'token:eyJ' } }, undefined],
  [{ flag: { 'sasl.mechanism': 'OAUTHBEARER', 'oauth.token': 'eyJ', pass: 'token:eyJ' } }, undefined],
])('%j contradicts itself: %s', (given, message) => {
  const layers = layersOf(given);
  const errors = findContradictions(mergeLayers(layers), layers);
  expect(errors.map((error) => error.message)).toEqual(message === undefined ? [] : [message]);
});

test.each<[Given, string | undefined]>([
  [{}, undefined],
  [{ flag: { brokers: 'a', 'admin.hosts': 'b', 'registry.hosts': 'c' } }, undefined],
  [
    { flag: { brokers: 'a' } },
    'flag brokers given, but not admin.hosts and registry.hosts: using admin.hosts=localhost:9644, registry.hosts=localhost:8081',
  ],
  [
    { env: { 'admin.hosts': 'a' }, profile: { brokers: 'b' } },
    'profile brokers, env admin.hosts given, but not registry.hosts: using registry.hosts=localhost:8081',
  ],
  [{ flag: { brokers: 'a', 'globals.no_default_cluster': 'true' } }, undefined],
])('the remark about %j: %s', (given, remark) => {
  expect(remarkFallbacks(mergeLayers(layersOf(given)))).toEqual(remark === undefined ? [] : [remark]);
});

test.each<[Given, number]>([
  [{ flag: { brokers: 'far' }, profile: { user: 'u' } }, 1],
  [{ flag: { brokers: 'far', user: 'u' } }, 0],
  [{ flag: { brokers: 'localhost' }, profile: { user: 'u' } }, 0],
  [{ flag: { user: 'u' }, profile: { brokers: 'far' } }, 0],
  [{ flag: { brokers: 'far' }, profile: { pass: 'p' } }, 0],
  [{ flag: { brokers: 'far', 'admin.hosts': 'far' }, profile: { user: 'u' } }, 1],
  [{ flag: { 'registry.hosts': 'far' }, profile: { 'registry.user': 'u' } }, 1],
  [{ flag: { 'registry.hosts': 'far' }, profile: { 'registry.token': 't' } }, 1],
  [{ flag: { 'registry.hosts': 'far' }, profile: { 'registry.token.file': '/t' } }, 1],
  [{ flag: { 'registry.hosts': 'far', 'registry.user': 'r' }, profile: { user: 'u' } }, 0],
  [{ flag: { 'registry.hosts': 'far' }, profile: { user: 'u', 'registry.user': '' } }, 0],
  [{ flag: { 'registry.hosts': 'far' }, profile: { 'oauth.token': 't' } }, 1],
  [{ flag: { 'registry.hosts': 'far' }, profile: { 'sasl.mechanism': 'OAUTHBEARER', 'oauth.client_id': 'c' } }, 1],
  [{ flag: { 'registry.hosts': 'far' }, profile: { 'oauth.client_id': 'c' } }, 0],
  [{ flag: { 'oauth.client_id': 'c', 'sasl.mechanism': 'OAUTHBEARER' }, profile: { brokers: 'far' } }, 0],
  [{ flag: { 'oauth.issuer': 'https://far' }, profile: { 'oauth.client_id': 'c', 'oauth.client_secret': 's' } }, 1],
])('%j warns of mixed sources %i times', (given, count) => {
  expect(warnOfMixedSources(mergeLayers(layersOf(given)))).toHaveLength(count);
});
