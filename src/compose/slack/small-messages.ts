import type { NotifyPrivately } from '../../app/messages/tell-refused.ts'
import type { Log } from '../../core/log.ts'
import type { AskOwner } from '../../core/verified-recheck.ts'
import { makeNotifyQueryOwner } from '../../slack/delivery/ask-owner.ts'
import { makeSlackClient } from '../../slack/delivery/make-client.ts'
import { makeRemoveAnswer, type RemoveAnswer } from '../../slack/delivery/remove-answer.ts'
import { makeNotifyRefusal } from '../../slack/delivery/tell-alone.ts'
import type { OwnStore } from '../store/open-own-store.ts'
import { perTeam, type TeamOfQuestion } from './slack-doors.ts'
import type { Workspaces } from './workspaces.ts'

/** What the bot does in Slack beside answers and digests. */
export interface Notifications {
  /** Tells somebody alone; `admins` are named as those to ask. */
  tellAloneOf(admins: readonly string[]): NotifyPrivately
  readonly removeAnswer: RemoveAnswer
  readonly askOwner: AskOwner
}

/** Wires it, each in the workspace that it is about. */
export const makeNotifications = (
  { store: { repositories } }: Pick<OwnStore, 'store'>,
  deps: {
    readonly workspaces: Pick<Workspaces, 'doorOf' | 'only'>
    readonly teamOf: TeamOfQuestion
    readonly now: () => Date
    readonly log: Log
  },
): Notifications => {
  const { teamOf, now, log } = deps
  const { doorOf, only } = deps.workspaces
  const clientOf = perTeam(doorOf, door => makeSlackClient(door))
  const withoutRetriesOf = perTeam(doorOf, door => makeSlackClient({ ...door, retries: 0 }))
  const askOwnerIn = (team: string): AskOwner =>
    makeNotifyQueryOwner({
      client: clientOf(team),
      poster: withoutRetriesOf(team),
      notices: repositories.verifiedNotices,
      now,
      log,
    })
  return {
    tellAloneOf: admins => (place, person, refusal, options) =>
      makeNotifyRefusal({ client: withoutRetriesOf(place.team), admins, log })(
        place,
        person,
        refusal,
        options,
      ),
    removeAnswer: async questionId => {
      const team = await teamOf(questionId)
      if (team === null) return
      const outbound = repositories.outboundMessages
      await makeRemoveAnswer({ client: clientOf(team), outbound })(questionId)
    },
    askOwner: async (query, since) => {
      // Verified queries belong to a database, which several workspaces may ask: their owner is where they ask.
      const { savedBy } = query
      const team = only ? '' : savedBy && (await repositories.questions.lastTeamOf(savedBy))
      if (team === null)
        return log.info({ queryId: query.id }, 'who saved a verified query asks in no workspace')
      await askOwnerIn(team)(query, since)
    },
  }
}
