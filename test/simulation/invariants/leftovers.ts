import type { SimulatedClient, World } from '../world.ts';

/** Nothing stays behind: no timer of a client, no link; and no client has done what it must not do. */
export function checkLeftovers(
  { network, breaches }: World,
  clients: readonly SimulatedClient[],
  failures: string[],
): void {
  for (const { name, timersLeft } of clients) {
    if (timersLeft > 0) failures.push(`${name} leaves ${timersLeft} timers behind`);
  }
  if (network.open > 0) failures.push(`${network.open} links are left open`);
  failures.push(...network.breaches, ...breaches);
}
