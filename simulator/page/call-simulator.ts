import type { Snapshot } from '../shapes/snapshot.ts'

/** Does something in the name of a person. Throws with the simulator's words when it cannot. */
export const callSimulator = async <Answer>(action: string, body: unknown): Promise<Answer> => {
  const response = await fetch(`/_simulator/${action}`, { method: 'POST', body: JSON.stringify(body) })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error((answer as { readonly error: string }).error)
  return answer as Answer
}

/** What a person sees now; without a person, what the first one sees. */
export const fetchSnapshot = async (me: string | null): Promise<Snapshot> => {
  const response = await fetch(`/_simulator/snapshot${me ? `?me=${encodeURIComponent(me)}` : ''}`)
  return (await response.json()) as Snapshot
}
