import { expect, test } from 'vitest';
import {
  checkCall,
  commandLineOf,
  type PluginCall,
  pluginArgv,
  pluginProviders,
  providerOf,
} from '../../../src/byoc/plugin/argv.ts';
import { artifactName, pluginTarget } from '../../../src/byoc/plugin/release.ts';

const gcp: PluginCall = { provider: 'gcp', verb: 'apply', clusterId: 'c1', projectId: 'p1', rest: [] };
const azure: PluginCall = { provider: 'azure', verb: 'apply', clusterId: 'c1', subscriptionId: 's1', rest: [] };
const aws: PluginCall = { provider: 'aws', verb: 'apply', clusterId: 'c1', rest: [] };

test.each<[string, PluginCall, string]>([
  ['aws', aws, 'aws apply --cloud-api-token T --redpanda-id c1'],
  ['gcp', gcp, 'gcp apply --project-id=p1 --cloud-api-token T --redpanda-id c1'],
  ['azure', azure, 'azure apply --subscription-id=s1 --cloud-api-token T --redpanda-id c1'],
  [
    'words that are not ours, in their order',
    { ...aws, rest: ['--debug', '--identity', 'x y', '--no-color=true'] },
    'aws apply --debug --identity x y --no-color=true --cloud-api-token T --redpanda-id c1',
  ],
  ['destroy', { ...gcp, verb: 'destroy' }, 'gcp destroy --project-id=p1 --cloud-api-token T --redpanda-id c1'],
  ['validate, without the id', { ...aws, verb: 'validate' }, 'aws validate --cloud-api-token T'],
])('the plugin is started with provider and verb first, the token and the id last: %s', (_, call, words) => {
  expect(pluginArgv(call, 'T').join(' ')).toBe(words);
});

test.each<[string, PluginCall, string]>([
  ['--cluster-id', { ...aws, clusterId: undefined }, 'missing flag --cluster-id'],
  ['--project-id on apply', { ...gcp, projectId: undefined }, 'missing flag --project-id'],
  ['--project-id on destroy', { ...gcp, verb: 'destroy', projectId: '' }, 'missing flag --project-id'],
  ['--subscription-id', { ...azure, subscriptionId: undefined }, 'missing flag --subscription-id'],
])('what a provider requires is checked before any request: %s', (_, call, message) => {
  expect(() => checkCall(call)).toThrow(expect.objectContaining({ message, exitCode: 2 }));
});

test.each([[['--cloud-api-token', 'x']], [['--cloud-api-token=x']], [['--debug', '--redpanda-id=x']]])(
  'what only weir sets is refused: %j',
  (rest) => {
    expect(() => checkCall({ ...aws, rest })).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(() => checkCall({ ...aws, rest })).toThrow(/unable to pass --[a-z-]+ to the plugin: weir sets it/);
  },
);

test('validate and azure destroy need nothing more', () => {
  for (const provider of pluginProviders) checkCall({ provider, verb: 'validate', clusterId: undefined, rest: [] });
  checkCall({ ...azure, verb: 'destroy', subscriptionId: undefined });
});

test('the call is shown as one shell command line without a token', () => {
  expect(commandLineOf({ ...gcp, rest: ["it's", '--x'] })).toBe(
    "weir cloud byoc gcp apply --cluster-id c1 --project-id=p1 'it'\\''s' --x",
  );
  expect(commandLineOf({ ...gcp, verb: 'destroy', projectId: undefined })).toBe(
    'weir cloud byoc gcp destroy --cluster-id c1 --project-id=PROJECT',
  );
  expect(commandLineOf({ ...azure, subscriptionId: undefined })).toBe(
    'weir cloud byoc azure apply --cluster-id c1 --subscription-id=SUBSCRIPTION',
  );
});

test.each([
  ['CLOUD_PROVIDER_GCP', 'gcp'],
  ['CLOUD_PROVIDER_AZURE', 'azure'],
  ['aws', 'aws'],
  ['CLOUD_PROVIDER_MOON', undefined],
])('the provider %s is the plugin word %s', (word, expected) => {
  expect(providerOf(word)).toBe(expected);
});

test.each([
  ['linux', 'x64', 'byoc-linux-amd64'],
  ['darwin', 'arm64', 'byoc-darwin-arm64'],
  ['win32', 'x64', 'byoc-windows-amd64'],
  ['freebsd', 'riscv64', 'byoc-freebsd-riscv64'],
])("Node's names %s %s are the artifact %s", (platform, arch, name) => {
  expect(artifactName(pluginTarget(platform, arch))).toBe(name);
});
