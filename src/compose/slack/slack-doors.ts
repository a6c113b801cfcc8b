import type { LocatedQuestion } from '../../core/delivery.ts'
import type { SlackCredentials } from '../../slack/delivery/make-client.ts'

/** How Slack is spoken to in a workspace: the same object for the same workspace. */
export type CredentialsOf = (team: string) => SlackCredentials

/**
 * One of something for each workspace, made when it is first wanted and dropped with its door: nothing that belongs to one
 * workspace, a token, a fact about a person, is within the reach of another.
 */
export const perTeam = <T>(
  doorOf: CredentialsOf,
  make: (door: SlackCredentials) => T,
): ((team: string) => T) => {
  const made = new WeakMap<SlackCredentials, T>()
  return team => {
    const door = doorOf(team)
    const known = made.get(door)
    if (known !== undefined) return known
    const fresh = make(door)
    made.set(door, fresh)
    return fresh
  }
}

/** The workspace of a question; null for one that is gone, or was not asked in Slack. */
export type TeamOfQuestion = (questionId: string) => Promise<string | null>

/** Makes it. Where there is one workspace, all questions are its own: nothing is looked up. */
export const makeTeamOfQuestion =
  (
    { only }: { readonly only: SlackCredentials | null },
    findPlaced: (questionId: string) => Promise<LocatedQuestion | null>,
  ): TeamOfQuestion =>
  async questionId =>
    only ? '' : ((await findPlaced(questionId))?.place.team ?? null)
