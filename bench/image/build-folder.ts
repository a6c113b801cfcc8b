import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { readContext, readDockerfile, type Stage } from './read-dockerfile.ts'

/** A folder in which the steps of the Dockerfile were taken, and how its command is run there. */
export interface BuiltFolder {
  /** Where `/app` of the image is. */
  readonly app: string
  readonly env: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly user: string
}

const project = join(import.meta.dirname, '../..')

/**
 * Takes every step of the Dockerfile in `root`, which stands for `/`: what .dockerignore lets through is copied, what is
 * RUN is run there, as the user of that line where we are root. Node is a copy of the one that this process runs on. No
 * image of Debian is below it: what a step needs beside Node and npm is this machine's.
 */
export const buildFolder = (root: string, say: (line: string) => void): BuiltFolder => {
  const read = (name: string): string => readFileSync(join(project, name), 'utf8')
  const context = readContext(read('.dockerignore'))
  const bin = join(root, 'usr/local/bin')
  mkdirSync(bin, { recursive: true })
  cpSync(process.execPath, join(bin, 'node'))
  const path = [bin, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
  const stages = readDockerfile(read('Dockerfile'))
  const folders = new Map<string, string>()
  const built = stages.map((stage, i) => {
    const place = i === stages.length - 1 ? root : join(root, 'stages', String(stage.name))
    if (stage.name !== null) folders.set(stage.name, place)
    return takeSteps(stage, { place, context, folders, path, say })
  })
  return built.at(-1)!
}

const takeSteps = (
  stage: Stage,
  given: {
    readonly place: string
    readonly context: readonly string[]
    readonly folders: ReadonlyMap<string, string>
    readonly path: string
    readonly say: (line: string) => void
  },
): BuiltFolder => {
  const { place, context, folders, path, say } = given
  const inPlace = (text: string): string =>
    text.replaceAll(/(?<=^|\s|=)\/(?=(app|var\/lib\/querent)\b)/g, `${place}/`)
  let [app, user, command] = [place, '0:0', [] as string[]]
  const env: Record<string, string> = { PATH: path, HOME: place, NO_COLOR: '1' }
  for (const { word, rest } of stage.instructions) {
    switch (word) {
      case 'WORKDIR':
        app = inPlace(rest)
        mkdirSync(app, { recursive: true })
        break
      case 'ENV': {
        for (const pair of rest.split(/\s+/)) {
          const [name = '', value = ''] = pair.split('=')
          env[name] = inPlace(value)
        }
        break
      }
      case 'COPY':
        copy(rest, { app, context, folders })
        break
      case 'RUN': {
        say(`RUN ${rest}`)
        const [file = '', ...args] = asUser(user, ['sh', '-c', inPlace(rest)])
        // npm finds its registry and its cache where this machine has them.
        const here = user === '0:0' ? { ...process.env, ...env, HOME: process.env.HOME } : env
        const run = spawnSync(file, args, { cwd: app, env: here, encoding: 'utf8' })
        if (run.status !== 0) throw new Error(`RUN ${rest}: ${run.stdout}${run.stderr}${run.error ?? ''}`)
        break
      }
      case 'USER':
        user = rest
        break
      case 'CMD':
        command = JSON.parse(rest)
        break
      default:
        // Of no consequence where there is no container.
        break
    }
  }
  return { app, env, command, user }
}

const copy = (
  rest: string,
  {
    app,
    context,
    folders,
  }: {
    readonly app: string
    readonly context: readonly string[]
    readonly folders: ReadonlyMap<string, string>
  },
): void => {
  const words = rest.split(/\s+/)
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
  const target = resolve(app, words.pop() ?? '.')
  for (const source of words) {
    const top = source.split('/')[0] ?? ''
    if (from === undefined && !context.includes(top))
      throw new Error(`.dockerignore does not let ${source} through`)
    const path = from === undefined ? join(project, source) : join(folders.get(from) ?? '', source)
    // A folder is copied by its content, a file into the folder that it is copied to.
    const to = words.length > 1 ? join(target, source) : target
    // As Docker does: a build is fresh while its sources are older.
    cpSync(path, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    chmodSync(to, 0o755)
  }
}

/** The command as it is run as `user` (`uid:gid`) when we are root, who alone can become somebody else. */
export const asUser = (user: string, command: readonly string[]): readonly string[] => {
  const [uid, gid] = user.split(':')
  return process.getuid?.() === 0 && uid !== '0'
    ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs', '--', ...command]
    : command
}
