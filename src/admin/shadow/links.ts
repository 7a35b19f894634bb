import { CliError, withHints } from '../../errors.ts';
import { byName } from '../../format/order.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { type PollParts, poll, type WaitOptions } from '../../net/poll.ts';
import { anything, inside, listOf, sorted } from '../../shape/shape.ts';
import type { Api } from '../client/api.ts';
import { rpc } from '../client/rpc.ts';
import { type Failover, type LinkDeletion, type LinkUpdate, ShadowLink, type ShadowTopic } from './link-rows.ts';
import { camel, type LinkConfig, secretsOf, wireConfig } from './link-words.ts';

const needs = { what: 'shadow links', since: '25.3' } as const;
const oneLink = { needs, answer: inside('shadowLink', ShadowLink), form: 'shadow link' } as const;

/**
 * The calls about shadow links, which copy topics from another cluster to this one (redpanda commit 1b95a07c:
 * src/v/redpanda/admin/services/shadow_link/shadow_link.cc).
 */
export function createShadowCalls({ call }: Pick<Api, 'call'>, parts: PollParts) {
  const api: Pick<Api, 'call'> = { call: (one) => call(one).catch(withAdvice) };
  const shadowLink = (name: string) =>
    api.call(
      rpc('ShadowLinkService/GetShadowLink', {
        ...oneLink,
        doing: `read the shadow link "${name}"`,
        body: { name },
        changes: false,
      }),
    );

  return {
    /** The links, sorted by name. */
    shadowLinks: () =>
      api.call(
        rpc('ShadowLinkService/ListShadowLinks', {
          needs,
          doing: 'read the shadow links',
          changes: false,
          answer: inside('shadowLinks', sorted(listOf(ShadowLink), byName)),
          form: 'shadow links',
        }),
      ),
    /** A link. @throws ApiError (404, exit 3) for an unknown name */
    shadowLink,
    /** Creates a link. @throws ApiError (409, exit 6) if there is one of this name */
    createShadowLink: (name: string, config: LinkConfig) =>
      api.call(
        rpc('ShadowLinkService/CreateShadowLink', {
          ...oneLink,
          ...holding(config),
          doing: `create the shadow link "${name}"`,
          body: { shadowLink: { name, configurations: wireConfig(config) } },
          look: () => shadowLink(name).catch(asAbsent),
        }),
      ),
    /**
     * Replaces sections of the configuration of a link. A mask of single fields would do less: the server appends to lists
     * instead of replacing them (src/v/serde/protobuf/field_mask.h:90).
     */
    updateShadowLink: ({ current, config, sections }: LinkUpdate) =>
      api.call(
        rpc('ShadowLinkService/UpdateShadowLink', {
          ...oneLink,
          ...holding(config),
          doing: `update the shadow link "${current.name}"`,
          body: {
            shadowLink: { name: current.name, configurations: wireConfig(config, current.configurations) },
            updateMask: sections.map((section) => `configurations.${camel(section)}`).join(','),
          },
          repeats: true,
        }),
      ),
    /** Deletes a link. @throws ApiError (400, exit 6) if it still copies topics */
    deleteShadowLink: ({ name, force }: LinkDeletion) =>
      api.call(
        rpc('ShadowLinkService/DeleteShadowLink', {
          needs,
          doing: `delete the shadow link "${name}"`,
          body: { name, force },
          answer: anything,
          look: async () => ((await shadowLink(name).catch(asAbsent)) === undefined ? {} : undefined),
        }),
      ),
    /** Makes topics of a link writable, and ends their copying; it goes on in the background. */
    failOver: ({ name, topic, topics }: Failover) =>
      api.call(
        rpc('ShadowLinkService/FailOver', {
          ...oneLink,
          doing: topic === undefined ? `fail over the shadow link "${name}"` : `fail over topic "${topic}"`,
          body: { name, ...(topic !== undefined && { shadowTopicName: topic }) },
          look: async () => {
            const link = await shadowLink(name);
            const isAsked = link.topics.every((one) => !topics.includes(one.name) || one.state !== 'ACTIVE');
            return isAsked ? link : undefined;
          },
        }),
      ),
    /**
     * Polls until the failover of topics has ended, whether they are failed over or faulted.
     * @throws CliError (exit 5) on a timeout
     */
    waitForFailover: (name: string, topics: readonly string[], options: WaitOptions<ShadowLink>) =>
      poll({
        ...parts,
        ...options,
        what: `the failover of shadow link "${name}"`,
        read: () => shadowLink(name),
        isDone: (link) => link.topics.every((one) => !topics.includes(one.name) || !isUnderWay(one)),
      }),
  };
}

/** Other nodes may still show the state from before the failover. */
function isUnderWay({ state }: ShadowTopic): boolean {
  return state === 'ACTIVE' || state === 'FAILING_OVER';
}

function holding(config: LinkConfig) {
  const secrets = secretsOf(config);
  return { secrets, holdsPassword: secrets.length > 0 };
}

function asAbsent(error: unknown): undefined {
  if (!hasStatus(error, 404)) throw error;
  return undefined;
}

function withAdvice(error: unknown): never {
  const [, hint] = advice.find(([words]) => error instanceof CliError && error.message.includes(words)) ?? [];
  throw hint !== undefined && error instanceof CliError ? withHints(error, [hint]) : error;
}

const advice: readonly (readonly [words: string, hint: string])[] = [
  ['link feature is disabled', 'enable shadow links with: weir cluster config set enable_shadow_linking true'],
  ['errc::limit_exceeded', 'the cluster takes no further link: see those that it has with weir shadow list'],
  ['errc::license_required', 'load an enterprise license with: weir cluster license set --file FILE'],
];
