import type { Node } from '../state.ts';
import type { World } from '../world.ts';
import { zipOf } from './zip.ts';

/** A debug bundle of one node. */
export interface Bundle {
  readonly jobId: string;
  /** Virtual time in milliseconds since the epoch. */
  readonly createdAt: number;
  /** The virtual time at which it was done, in milliseconds since the epoch; null while it is collected. */
  readonly endedAt: number | null;
  readonly status: 'running' | 'success' | 'error' | 'expired';
  /** The finished file; null for any other status than `success`. */
  readonly file: Buffer | null;
  /** What the collecting program printed; empty while it runs. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** Creates a bundle that is being collected. */
export function startBundle(jobId: string, createdAt: number): Bundle {
  return { jobId, createdAt, endedAt: null, status: 'running', file: null, stdout: [], stderr: [] };
}

/** Ends the bundles that are due, and removes those that have expired. */
export function progressBundles({ state, settings }: World, at: number): void {
  for (const node of state.nodes.values()) {
    const { bundle } = node;
    if (bundle === null || !node.alive) continue;
    if (bundle.status === 'running' && at >= bundle.createdAt + settings.bundleMs)
      node.bundle = finished(node, bundle, at, settings.bundleOutcome);
    else if (bundle.endedAt !== null && at >= bundle.endedAt + settings.bundleLifetimeMs)
      node.bundle = { ...bundle, status: 'expired', file: null };
  }
}

function finished(node: Node, bundle: Bundle, endedAt: number, outcome: 'success' | 'error'): Bundle {
  if (outcome === 'error') return failed(bundle, endedAt, 'unable to collect');
  const text = JSON.stringify({ node_id: node.id, version: node.version, job_id: bundle.jobId }, undefined, 2);
  const bytes = zipOf(`node-${node.id}.json`, Buffer.from(`${text}\n`));
  return { ...bundle, endedAt, status: 'success', file: bytes, stdout: ['done'] };
}

/** The name of the file of a bundle, which is known from the start. */
export function fileName({ jobId }: Bundle): string {
  return `${jobId}.zip`;
}

/** A bundle that ended without a file. */
export function failed(bundle: Bundle, endedAt: number, why: string): Bundle {
  return { ...bundle, endedAt, status: 'error', stderr: [why] };
}
