import type { Client } from '../client/client.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { apiVersions } from '../protocol/api-versions.ts';
import type { ClusterFeature } from './feature-rows.ts';

/** Reads the features of the cluster from one broker, sorted by name. */
export async function clusterFeatures(client: Client): Promise<ClusterFeature[]> {
  const request = { softwareName: 'weir', softwareVersion: client.options.softwareVersion ?? 'unknown' };
  const { errorCode, features } = await client.request(apiVersions, request, 'any');
  if (errorCode !== 0) throw kafkaError(errorCode, `unable to read the features: ${kafkaErrorText(errorCode)}`);
  const supported = new Map(features.supported.map((feature) => [feature.name, feature]));
  const finalized = new Map(features.finalized.map((feature) => [feature.name, feature]));
  return [...new Set([...supported.keys(), ...finalized.keys()])].sort().map((name) => ({
    feature: name,
    supported_min: supported.get(name)?.min ?? null,
    supported_max: supported.get(name)?.max ?? null,
    finalized_level: finalized.get(name)?.max ?? null,
    epoch: features.epoch ?? null,
  }));
}
