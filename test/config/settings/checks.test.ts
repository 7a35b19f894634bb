import { expect, test } from 'vitest';
import type { Source } from '../../../src/config/config.ts';
import { newDraft, putText } from '../../../src/config/layer.ts';
import type { OptionKey } from '../../../src/config/options.ts';
import {
  findContradictions,
  remarkFallbacks,
  remarkMixedSources,
  settingOf,
  unsetHosts,
  warnOfTwoClusters,
} from '../../../src/config/settings/checks.ts';
import { mergeLayers } from '../../../src/config/settings/merge.ts';

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

test.each<[Given, string | undefined]>([
  [{ flag: { brokers: 'far' }, profile: { user: 'u', pass: 'p' } }, 'flag brokers with profile pass'],
  [{ env: { pass: 'p' }, profile: { brokers: 'far', user: 'u' } }, 'profile brokers with env pass'],
  [{ profile: { brokers: 'far', user: 'u', pass: 'p' } }, undefined],
  [{ flag: { brokers: 'far' }, profile: { user: 'u' } }, undefined],
  [{ flag: { brokers: 'far' }, profile: { pass: 'p' } }, undefined],
  [{ env: { user: 'u', pass: 'p' } }, undefined],
  [
    { flag: { brokers: 'far', 'admin.hosts': 'far' }, profile: { user: 'u', pass: 'p' } },
    'flag brokers with profile pass; flag admin.hosts with profile pass',
  ],
  [
    { flag: { 'registry.hosts': 'far' }, profile: { 'registry.token.file': '/t' } },
    'flag registry.hosts with profile registry.token.file',
  ],
  [{ flag: { 'registry.hosts': 'far' }, profile: { user: 'u', pass: 'p', 'registry.user': '' } }, undefined],
  [
    { flag: { 'oauth.token': 't' }, profile: { brokers: 'far', 'sasl.mechanism': 'OAUTHBEARER' } },
    'profile brokers with flag oauth.token',
  ],
  [
    {
      env: { 'oauth.client_secret': 's', 'sasl.mechanism': 'OAUTHBEARER' },
      profile: { 'oauth.issuer': 'https://far', 'oauth.client_id': 'c' },
    },
    'profile oauth.issuer with env oauth.client_secret',
  ],
  [
    { env: { 'cloud.client_secret': 's' }, profile: { 'cloud.api_url': 'https://far' } },
    'profile cloud.api_url with env cloud.client_secret',
  ],
])('the remark about the sources in %j: %s', (given, pairs) => {
  const said = 'addresses and secrets come from different sources: ';
  expect(remarkMixedSources(mergeLayers(layersOf(given)))).toEqual(pairs === undefined ? [] : [`${said}${pairs}`]);
});

test.each<[Given, string | undefined]>([
  [
    { flag: { brokers: 'b' }, profile: { 'admin.hosts': 'a' } },
    'brokers is b:9092 (flag brokers), but admin.hosts is a:9644 (profile admin.hosts): these may be two clusters; set admin.hosts where you set brokers',
  ],
  [{ flag: { brokers: 'b', 'admin.hosts': 'c' }, profile: { 'admin.hosts': 'a' } }, undefined],
  [{ flag: { brokers: 'b' } }, undefined],
  [{ flag: { 'admin.hosts': 'a' }, profile: { brokers: 'b' } }, undefined],
  [{ profile: { brokers: 'b', 'admin.hosts': 'a' } }, undefined],
])('%j may be two clusters: %s', (given, warning) => {
  const settings = mergeLayers(layersOf(given));
  expect(warnOfTwoClusters((key) => settingOf(settings, key), 'admin')).toBe(warning);
});

test.each<[Given, string | undefined]>([
  [
    { profile: { brokers: 'b1.example,b2.example:9093' } },
    'admin.hosts is not set: its default is localhost:9644, but the brokers are at b1.example:9092,b2.example:9093 (profile brokers)',
  ],
  [{ flag: { brokers: '127.0.0.1:19092' } }, undefined],
  [{ flag: { brokers: 'b1.example' }, env: { 'admin.hosts': 'localhost' } }, undefined],
  [{}, undefined],
])('the Admin API of brokers elsewhere is not on this machine: %j', (given, message) => {
  const settings = mergeLayers(layersOf(given));
  const error = unsetHosts((key) => settingOf(settings, key), 'admin');
  expect(error?.message).toBe(message);
  expect(error?.hints[0]).toBe(
    message && 'set it in the profile: weir profile set admin.hosts=b1.example:9644,b2.example:9644',
  );
});
