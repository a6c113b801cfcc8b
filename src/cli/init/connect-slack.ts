import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pc from 'picocolors'
import { parseDocument } from 'yaml'
import { type Config, makeSecret } from '../../config/config.ts'
import { projectFolder } from '../../lib/project.ts'
import { checkBotToken, checkReceiver, type SlackFinding } from '../checks/check-slack.ts'
import { initSlackCopy as copy } from '../copy/init.ts'
import { notOneOf } from '../copy/phrases.ts'
import { flagError, type InitRun } from './prompts.ts'
import { saveSecret } from './settings.ts'

/** The result of the last step. `todo`: what is missing, in words. */
export interface ConnectedSlack {
  readonly status: 'ok' | 'not-set' | 'broken'
  readonly way: 'socket' | 'http' | null
  readonly finding: string
  readonly todo: string | null
  /** Null if the tokens were set already. */
  readonly manifest: string | null
}

const skippedSlack: ConnectedSlack = {
  status: 'not-set',
  way: null,
  finding: copy.notConnected,
  todo: copy.continueHere,
  manifest: null,
}

/**
 * The last step: the app in Slack. Checks existing tokens. Without them it asks how Slack reaches the bot, shows the manifest
 * and where to paste it, then asks for each token, checks it with Slack, and saves it in `.env`.
 */
export const connectSlack = async (run: InitRun): Promise<ConnectedSlack> => {
  const { slack } = run.setup().config
  if (slack.botToken !== null && (slack.appToken ?? slack.signingSecret) !== null) {
    const checked = await checkTokens(run, slack)
    if (checked.status === 'ok' || !run.prompts) return checked
  }
  const way = await chooseConnectionMode(run)
  if (way === null) return skippedSlack
  const manifest = await slackManifest(way)
  if (!run.prompts) {
    const missing = { ...skippedSlack, way: way.way, finding: listMissingVariables(slack, way), manifest }
    run.mark('weak', missing.finding)
    printManifest(run, manifest, way)
    return missing
  }
  printManifest(run, manifest, way)
  const bot = await askForToken(run, {
    variable: 'SLACK_BOT_TOKEN',
    message: copy.botToken,
    pattern: /^xoxb-./,
    check: token => checkBotToken({ ...slack, botToken: makeSecret(token) }, run.signal),
  })
  if (!bot) return { ...skippedSlack, way: way.way, manifest }
  const receiver = await askForToken(run, connectionModes(run)[way.way])
  if (!receiver) return { ...skippedSlack, way: way.way, manifest }
  run.reload()
  return summarizeFindings(way.way, [bot, receiver], manifest)
}

const connectionModes = (run: InitRun) => {
  const { apiUrl } = run.setup().config.slack
  return {
    socket: {
      variable: 'SLACK_APP_TOKEN',
      message: copy.appToken,
      pattern: /^xapp-./,
      check: (token: string) =>
        checkReceiver({ apiUrl, appToken: makeSecret(token), signingSecret: null }, run.signal),
    },
    http: {
      variable: 'SLACK_SIGNING_SECRET',
      message: copy.signingSecret,
      pattern: /^[0-9a-f]{16,}$/i,
      check: (secret: string) =>
        checkReceiver({ apiUrl, appToken: null, signingSecret: makeSecret(secret) }, run.signal),
    },
  } as const
}

const checkTokens = async (run: InitRun, slack: Config['slack']): Promise<ConnectedSlack> => {
  const way = slack.appToken ? 'socket' : 'http'
  const bot = await reportUnreachable(() => checkBotToken(slack, run.signal), run.signal)
  printFinding(run, bot)
  const receiver =
    bot.status === 'ok' ? await reportUnreachable(() => checkReceiver(slack, run.signal), run.signal) : null
  if (receiver) printFinding(run, receiver)
  return summarizeFindings(way, receiver ? [bot, receiver] : [bot], null)
}

/** Sums up findings: the first one that is not ok, or else the first. */
const summarizeFindings = (
  way: 'socket' | 'http',
  findings: readonly SlackFinding[],
  manifest: string | null,
): ConnectedSlack => {
  const bad = findings.find(({ status }) => status !== 'ok')
  const shown = bad ?? findings[0]
  return {
    status: bad ? 'broken' : 'ok',
    way,
    finding: shown?.finding ?? '',
    todo: shown?.todo ?? null,
    manifest,
  }
}

const chooseConnectionMode = async (run: InitRun): Promise<SlackConnectionMode | null> => {
  const { options, prompts } = run
  const given = options.slack ?? (options.url === undefined ? undefined : 'http')
  const chosen =
    given ??
    (prompts
      ? await prompts.choose({
          message: copy.how,
          choices: [
            {
              value: 'socket',
              name: copy.socket,
              description: copy.socketNote,
            },
            {
              value: 'http',
              name: copy.http,
              description: copy.httpNote,
            },
            { value: 'none', name: copy.none, description: copy.noneNote },
          ],
        })
      : 'none')
  switch (chosen) {
    case 'none':
      return null
    case 'socket':
      return { way: 'socket' }
    case 'http': {
      const url =
        options.url ??
        (await prompts?.text({
          message: copy.url,
          validate: validateUrl,
        }))
      if (url === undefined) throw flagError(copy.urlMissing)
      const valid = validateUrl(url)
      if (valid !== true) throw flagError(`--url: ${valid}`)
      return { way: 'http', url }
    }
    default:
      throw flagError(notOneOf('--slack', ['socket', 'http', 'none'], String(chosen)))
  }
}

const validateUrl = (url: string): true | string =>
  (URL.canParse(url) && new URL(url).protocol === 'https:') || copy.urlPattern

const printManifest = (run: InitRun, manifest: string, way: SlackConnectionMode): void => {
  const { print } = run
  print()
  for (const line of copy.beforeManifest) print(line)
  print()
  print(pc.dim('-'.repeat(80)))
  print(manifest.trimEnd())
  print(pc.dim('-'.repeat(80)))
  print()
  print(copy.install)
  if (way.way === 'socket') print(copy.makeAppToken)
  else {
    print(copy.copySecret)
    print(copy.verifyLater(new URL(eventsPath, way.url).href))
  }
  print()
}

/**
 * Asks for a token until Slack accepts it; null if the person skips it. A token that is set already is not asked for if Slack
 * accepts it.
 */
const askForToken = async (
  run: InitRun,
  token: {
    readonly variable: string
    readonly message: string
    readonly pattern: RegExp
    readonly check: (token: string) => Promise<SlackFinding>
  },
): Promise<SlackFinding | null> => {
  const known = run.environment().lookUp(token.variable)
  if (known !== undefined) {
    const found = await reportUnreachable(() => token.check(known), run.signal)
    printFinding(run, found)
    if (found.status === 'ok') return found
  }
  for (;;) {
    const typed = await run.prompts?.secret({
      message: token.message,
      validate: value => value === '' || token.pattern.test(value) || copy.wrongFormat,
    })
    if (!typed) return null
    const found = await reportUnreachable(() => token.check(typed), run.signal)
    printFinding(run, found)
    const mayKeep =
      found.status === 'ok' ||
      (found.isUnchecked && (await run.prompts?.agree({ message: copy.keepUnchecked, suggestion: false })))
    if (!mayKeep) continue
    await saveSecret({ ...run, options: { ...run.options, replace: true } }, token.variable, typed)
    return found
  }
}

const listMissingVariables = (slack: Config['slack'], way: SlackConnectionMode): string => {
  const missing = [
    ...(slack.botToken ? [] : ['SLACK_BOT_TOKEN']),
    ...(way.way === 'socket' && !slack.appToken ? ['SLACK_APP_TOKEN'] : []),
    ...(way.way === 'http' && !slack.signingSecret ? ['SLACK_SIGNING_SECRET'] : []),
  ]
  return copy.notSet(missing)
}

const printFinding = (run: InitRun, { status, finding, todo }: SlackFinding): void => {
  run.mark(status === 'ok' ? 'ok' : 'broken', finding)
  if (todo !== undefined) run.mark('to do', todo)
}

/** If Slack does not answer, the token is unchecked. */
const reportUnreachable = (
  check: () => Promise<SlackFinding>,
  signal: AbortSignal,
): Promise<SlackFinding & { readonly isUnchecked?: boolean }> =>
  check().catch((error: unknown) => {
    signal.throwIfAborted()
    const why = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    return {
      isUnchecked: true,
      status: 'broken',
      finding: copy.unreachable(why),
      todo: copy.checkNetwork,
    }
  })

/** How Slack reaches the bot: over a socket that the bot opens, or at a public address. */
type SlackConnectionMode = { readonly way: 'socket' } | { readonly way: 'http'; readonly url: string }

/** The path that Slack calls. */
const eventsPath = '/slack/events'

/** manifest.yml, adapted to how Slack reaches the bot. */
export const slackManifest = async (way: SlackConnectionMode): Promise<string> => {
  const text = await readFile(join(projectFolder, 'manifest.yml'), 'utf8')
  if (way.way === 'socket') return text
  const document = parseDocument(text)
  const address = new URL(eventsPath, way.url).href
  document.setIn(['settings', 'socket_mode_enabled'], false)
  document.setIn(['settings', 'event_subscriptions', 'request_url'], address)
  document.setIn(['settings', 'interactivity', 'request_url'], address)
  const commands = document.toJS().features.slash_commands as readonly unknown[]
  for (const i of commands.keys()) document.setIn(['features', 'slash_commands', i, 'url'], address)
  return document.toString({ lineWidth: 0 })
}
