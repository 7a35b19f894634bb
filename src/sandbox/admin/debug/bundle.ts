import { crc32 } from 'node:zlib';
import type { Bundle, Node } from '../state.ts';
import type { World } from '../world.ts';

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

/** Writes a ZIP file with one uncompressed entry (APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16). */
function zipOf(name: string, content: Buffer): Buffer {
  const path = Buffer.from(name);
  // Version 1.0, no flags, stored; the time is 1980-01-01, the first that the format can express.
  const common = Buffer.alloc(26);
  common.writeUInt16LE(10, 0);
  common.writeUInt16LE(0x0021, 8);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(content.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(path.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, content]);
  const rest = Buffer.alloc(14);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x0a\x00', 'latin1'), common, rest, path]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
