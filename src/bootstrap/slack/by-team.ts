import { makeAccess } from '../../access/access-control.ts'
import { cacheFacts } from '../../access/cache-facts.ts'
import type { ChannelConfig, Config } from '../../config/config.ts'
import type { AccessControl, AccessSettings, LocationSettings } from '../../domain/access.ts'
import { formatDatabaseRef } from '../../domain/database.ts'
import type { DigestDelivery } from '../../domain/digest.ts'
import type { ReviewChannel } from '../../domain/feedback.ts'
import type { Delivery, LocatedQuestion } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { ShowChart } from '../../slack/delivery/answer-message.ts'
import { makeSlackClient, type SlackCredentials } from '../../slack/delivery/client.ts'
import { makeSlackDirectory } from '../../slack/directory.ts'

/** How Slack is spoken to in a workspace: the same object for the same workspace. */
export type CredentialsOf = (team: string) => SlackCredentials

/**
 * One of something for each workspace, made when it is first wanted and dropped with its door: nothing that belongs to one
 * workspace, a token, a fact about a person, is within the reach of another.
 */
export const perTeam = <T>(
  credentialsOf: CredentialsOf,
  make: (credentials: SlackCredentials) => T,
): ((team: string) => T) => {
  const made = new WeakMap<SlackCredentials, T>()
  return team => {
    const credentials = credentialsOf(team)
    const known = made.get(credentials)
    if (known !== undefined) return known
    const fresh = make(credentials)
    made.set(credentials, fresh)
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
    only ? '' : ((await findPlaced(questionId))?.location.team ?? null)

/** Rights are judged by what Slack says in the workspace of the place. */
const routeAccess = (of: (team: string) => AccessControl): AccessControl => ({
  mayAsk: (asker, options) => of(asker.location.team).mayAsk(asker, options),
  canReview: (asker, options) => of(asker.location.team).canReview(asker, options),
  rightsFingerprint: asker => of(asker.location.team).rightsFingerprint(asker),
  reachableDatabases: asker => of(asker.team).reachableDatabases(asker),
})

/** Questions are answered in the workspace that they were asked in; one that is gone has nothing to show. */
export const routeDelivery = (of: (team: string) => Delivery, teamOf: TeamOfQuestion): Delivery => {
  const inTeamOf = async (questionId: string, act: (delivery: Delivery) => Promise<void>): Promise<void> => {
    const team = await teamOf(questionId)
    if (team !== null) await act(of(team))
  }
  return {
    acknowledge: location => of(location.team).acknowledge(location),
    begin: placed => of(placed.location.team).begin(placed),
    progress: (placed, event) => of(placed.location.team).progress(placed, event),
    settle: questionId => inTeamOf(questionId, delivery => delivery.settle(questionId)),
    finish: (placed, report) => of(placed.location.team).finish(placed, report),
    stopped: (placed, by) => of(placed.location.team).stopped(placed, by),
    refresh: questionId => inTeamOf(questionId, delivery => delivery.refresh(questionId)),
    remove: questionId => inTeamOf(questionId, delivery => delivery.remove(questionId)),
  }
}

/** The same for charts. */
export const routeCharts =
  (of: (team: string) => ShowChart, teamOf: TeamOfQuestion): ShowChart =>
  async questionId => {
    const team = await teamOf(questionId)
    return team === null ? 'no-chart' : of(team)(questionId)
  }

/** People are asked to look at an answer in the workspace that it was given in. */
export const routeReviewChannel = (
  of: (team: string) => ReviewChannel,
  teamOf: TeamOfQuestion,
): ReviewChannel => {
  const reviewChannelOf = async ({
    questionId,
  }: {
    readonly questionId: string
  }): Promise<ReviewChannel | null> => {
    const team = await teamOf(questionId)
    return team === null ? null : of(team)
  }
  return {
    // What is gone needs nobody to look at it, as the desk itself says.
    show: async request => (await reviewChannelOf(request))?.show(request) ?? true,
    notifyUnavailable: async request => (await reviewChannelOf(request))?.notifyUnavailable(request),
    notifyDecision: async request => (await reviewChannelOf(request))?.notifyDecision(request),
  }
}

/** Digests are posted in the workspace that they were made in. */
export const routeDigests = (of: (team: string) => DigestDelivery): DigestDelivery => ({
  post: given => of(given.digest.team).post(given),
  notifyOwner: notice => of(notice.digest.team).notifyOwner(notice),
})

/** Slack waits three seconds for us: two tries of this length leave some of them for the store. */
const SLACK_TIMEOUT_MS = 1_000

/** Wires who may ask where: the settings, and the facts that Slack tells in each workspace, kept for minutes. */
export const makeAccessControl = (
  config: Pick<Config, 'channels' | 'otherChannels' | 'directMessages'>,
  deps: {
    readonly credentialsOf: CredentialsOf
    /** For places that name none. */
    readonly database: string
    readonly log: Log
  },
): AccessControl => {
  const settings = accessSettings(config, deps.database)
  const of = perTeam(deps.credentialsOf, credentials => {
    const facts = makeSlackDirectory({
      quick: makeSlackClient({
        ...credentials,
        retries: 1,
        failWhenLimited: true,
        timeoutMs: SLACK_TIMEOUT_MS,
      }),
      patient: makeSlackClient(credentials),
    })
    return makeAccess({ settings, facts: cacheFacts(facts, Date.now), log: deps.log })
  })
  return routeAccess(of)
}

/** The settings of querent.yml with the database filled in where a place names none. */
export const accessSettings = (
  { channels, otherChannels, directMessages }: Parameters<typeof makeAccessControl>[0],
  byDefault: string,
): AccessSettings => {
  const settingsOf = ({ database, glossary, ...location }: ChannelConfig): LocationSettings => ({
    ...location,
    database: formatDatabaseRef({ database: database ?? byDefault, glossary }),
  })
  return {
    channels: Object.fromEntries(
      Object.entries(channels).map(([key, location]) => [key, settingsOf(location)]),
    ),
    otherChannels: otherChannels && settingsOf(otherChannels),
    directMessages: directMessages && settingsOf(directMessages),
    exampleDatabase: byDefault,
  }
}
