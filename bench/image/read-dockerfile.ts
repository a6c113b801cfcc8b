/** One instruction of a Dockerfile: its word, and all that follows it on its lines. */
export interface Instruction {
  readonly word: string
  readonly rest: string
}

/** One stage: from which image, under which name, and its instructions in order. */
export interface Stage {
  readonly image: string
  readonly name: string | null
  readonly instructions: readonly Instruction[]
}

/** Reads the few things of a Dockerfile that ours uses. Throws for any other, so that nothing is silently left out. */
export const readDockerfile = (text: string): readonly Stage[] => {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  const stages: { image: string; name: string | null; instructions: Instruction[] }[] = []
  for (const line of lines) {
    const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (!known.has(word)) throw new Error(`not read: ${line}`)
    if (word === 'FROM') {
      const [image = '', , name = null] = rest.split(/\s+/)
      stages.push({ image, name, instructions: [] })
    } else stages.at(-1)?.instructions.push({ word, rest })
  }
  return stages
}

const known = new Set([
  'FROM',
  'WORKDIR',
  'ENV',
  'COPY',
  'RUN',
  'USER',
  'VOLUME',
  'EXPOSE',
  'HEALTHCHECK',
  'CMD',
])

/** What of the project's folder a build gets to see: the names that .dockerignore takes out of "nothing". */
export const readContext = (dockerignore: string): readonly string[] => {
  const [first, ...rest] = dockerignore.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  if (first !== '*' || !rest.every(line => /^![\w./-]+$/.test(line)))
    throw new Error('.dockerignore has to begin with * and then let single names through')
  return rest.map(line => line.slice(1))
}
