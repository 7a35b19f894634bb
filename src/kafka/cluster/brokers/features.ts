import type { Client } from '../../protocol/client/client.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import { apiVersions } from '../../protocol/wire/apis/api-versions.ts';
import type { ClusterFeature } from './feature-rows.ts';

/** Reads the features of the cluster from one broker, sorted by name. */
export async function clusterFeatures(client: Client): Promise<ClusterFeature[]> {
  const request = {
    clientSoftwareName: 'weir',
    clientSoftwareVersion: client.options.softwareVersion ?? 'unknown',
  };
  const answer = await client.request(apiVersions, request, 'any');
  const { errorCode, supportedFeatures = [], finalizedFeatures = [], finalizedFeaturesEpoch: epoch = -1n } = answer;
  if (errorCode !== 0) throw kafkaError(errorCode, `unable to read the features: ${kafkaErrorText(errorCode)}`);
  const supported = new Map(supportedFeatures.map((feature) => [feature.name, feature]));
  const finalized = new Map(finalizedFeatures.map((feature) => [feature.name, feature]));
  return [...new Set([...supported.keys(), ...finalized.keys()])].sort().map((name) => ({
    feature: name,
    supported_min: supported.get(name)?.minVersion ?? null,
    supported_max: supported.get(name)?.maxVersion ?? null,
    finalized_level: finalized.get(name)?.maxVersionLevel ?? null,
    epoch: epoch < 0n ? null : epoch,
  }));
}
