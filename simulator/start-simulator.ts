import { join } from 'node:path'
import { projectFolder } from '../src/lib/project.ts'
import { makeDeliverEvent } from './delivery/make-deliver-event.ts'
import { makeSendToBot } from './delivery/make-send-to-bot.ts'
import { readManifestCommands, readManifestScopes } from './emulator/read-manifest-scopes.ts'
import { drawSecret, seed } from './emulator/seed.ts'
import { startEmulator } from './emulator/start-emulator.ts'
import { bundlePage, type PageBundle } from './gateway/bundle-page.ts'
import { type Fault, makeFaults } from './gateway/make-faults.ts'
import { makeHandleApi } from './gateway/make-handle-api.ts'
import { makeHandlePageCall } from './gateway/make-handle-page-call.ts'
import { makeRouter } from './gateway/make-router.ts'
import { makeApiMethods } from './gateway/methods/make-api-methods.ts'
import { startGateway } from './gateway/start-gateway.ts'
import { makeInteractions } from './interactions/make-interactions.ts'
import { makeModalUse } from './interactions/make-modal-use.ts'
import { makeResponseUrls } from './interactions/make-response-urls.ts'
import { makeRunCommand } from './interactions/make-run-command.ts'
import { makeTriggers } from './interactions/make-triggers.ts'
import { makeViews } from './interactions/make-views.ts'
import { makeSimulatorRecord } from './make-simulator-record.ts'
import { makeSimulatorUse } from './make-simulator-use.ts'
import { makeTimers } from './make-timers.ts'
import { makeMessaging } from './messaging/make-messaging.ts'
import { makePeopleTalk } from './messaging/make-people-talk.ts'
import { makeAgentView } from './record/make-agent-view.ts'
import { makeChanges } from './record/make-changes.ts'
import { makeFiles } from './record/make-files.ts'
import { makeLog } from './record/make-log.ts'
import { makeMessages } from './record/make-messages.ts'
import { makeStatuses } from './record/make-statuses.ts'
import type { Simulator } from './simulator.ts'
import { slackTiming, type Timing } from './timing.ts'
import type { Workspace } from './workspace.ts'

/** What a simulator may be told; everything has a default. */
export interface SimulatorOptions {
  /** What bot and simulator share; drawn at every start by default. */
  readonly signingSecret?: string
  /** Where the bot listens, such as `http://127.0.0.1:3000/slack/events`; may be set later. */
  readonly botUrl?: string
  /** Of page and gateway; a free one when it is 0 or not given. */
  readonly port?: number
  readonly faults?: readonly Fault[]
  /** What takes other than Slack's own time. */
  readonly timing?: Partial<Timing>
  readonly now?: () => Date
  /** Slash commands of the app; those of `manifest.yml` by default. */
  readonly commands?: readonly string[]
  /** Names of channels beside the usual ones. */
  readonly moreChannels?: readonly string[]
  /** Where the bundled page is kept between starts; `.querent/simulator` of this checkout by default. */
  readonly cacheFolder?: string
}

/** Starts a Slack workspace on this machine: the emulator, the gateway in front of it, and the page. */
export const startSimulator = async (options: SimulatorOptions = {}): Promise<Simulator> => {
  const timing = { ...slackTiming, ...options.timing }
  const now = options.now ?? (() => new Date())
  const signingSecret = options.signingSecret ?? drawSecret()
  const timers = makeTimers()
  const closing = new AbortController()
  const gateway = await startGateway(options.port ?? 0)
  const emulator = await startEmulator(gateway.url, await readManifestScopes(), options.moreChannels).catch(
    async error => {
      await gateway.close()
      throw error
    },
  )

  const changes = makeChanges()
  const changed = changes.notify
  const { userId, botId, appId, name } = seed.bot
  const workspace: Workspace = {
    url: gateway.url,
    team: emulator.team,
    bot: { id: userId, name, handle: name, botId, appId, token: emulator.tokens.bot },
    people: emulator.people,
    channels: emulator.channels,
    commands: options.commands ?? (await readManifestCommands()),
    signingSecret,
    timing,
    now,
    timers,
    callEmulator: emulator.call,
    requestEmulator: emulator.request,
    tokens: emulator.tokens,
    changes,
    messages: makeMessages({ now, changed }),
    agentView: makeAgentView(changed),
    statuses: makeStatuses({ timers, lasts: timing.statusLasts, changed }),
    files: makeFiles(now),
    views: makeViews(changed),
    triggers: makeTriggers({ now, lasts: timing.triggerLasts }),
    problems: makeLog(changed),
    deliveries: makeLog(changed),
    calls: makeLog(changed),
  }

  let botUrls: readonly string[] = options.botUrl === undefined ? [] : [options.botUrl]
  const send = makeSendToBot({
    botUrls: () => botUrls,
    signingSecret,
    answerWithin: timing.answerWithin,
    now,
    deliveries: workspace.deliveries,
    closing: closing.signal,
  })
  const { retryAfter } = timing
  const { bot, team } = workspace
  const events = makeDeliverEvent({ send, timers, retryAfter, teamId: team.id, bot, now })
  const messaging = makeMessaging(workspace, events)
  const responseUrls = makeResponseUrls(workspace, messaging)
  const interactions = makeInteractions(workspace, send, responseUrls)

  const use = makeSimulatorUse(workspace, {
    talk: makePeopleTalk(workspace, messaging, events),
    interactions,
    modalUse: makeModalUse(workspace, interactions),
    runCommand: makeRunCommand(workspace, send, responseUrls),
  })
  const record = makeSimulatorRecord(workspace, events)

  const faults = makeFaults()
  faults.set(options.faults ?? [])
  const cacheFolder = options.cacheFolder ?? join(projectFolder, '.querent/simulator')
  let bundle: Promise<PageBundle> | null = null
  gateway.serve(
    makeRouter({
      workspace,
      handleApi: makeHandleApi(workspace, makeApiMethods(workspace, messaging), faults),
      handlePageCall: makeHandlePageCall(workspace, { ...use, ...record }),
      responseUrls,
      bundlePage: () => {
        bundle ??= bundlePage(cacheFolder).catch(error => {
          bundle = null
          throw error
        })
        return bundle
      },
    }),
  )

  return {
    ...use,
    ...record,
    url: gateway.url,
    apiUrl: `${gateway.url}/api/`,
    botToken: bot.token,
    signingSecret,
    team,
    bot,
    people: workspace.people,
    channels: workspace.channels,
    setBotUrl: url => {
      botUrls = url === null ? [] : [url].flat()
    },
    setFaults: faults.set,
    planFaults: faults.plan,
    setEventFaults: events.setFaults,
    issueTrigger: by => {
      const person = workspace.people.find(({ handle }) => handle === by)
      if (person === undefined) throw new Error(`there is nobody called ${by}`)
      return workspace.triggers.issue({ person: person.id, viewId: null })
    },
    close: async () => {
      timers.cancelAll()
      closing.abort()
      await gateway.close()
      await emulator.close()
    },
  }
}
