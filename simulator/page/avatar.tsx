/** A coloured square with initials: the simulator knows no pictures. */
export const Avatar = ({ name, bot }: { readonly name: string; readonly bot: boolean }) => (
  <span
    className={bot ? 'avatar avatar-bot' : 'avatar'}
    style={{ background: colourOf(name) }}
    aria-hidden="true"
  >
    {initialsOf(name)}
  </span>
)

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map(part => part[0] ?? '')
    .join('')
    .slice(0, 2)
    .toUpperCase()

/** The same name always has the same colour; all are dark enough for white letters. */
const colourOf = (name: string): string => {
  const sum = [...name].reduce((before, letter) => (before * 31 + letter.charCodeAt(0)) % 9_973, 7)
  return `hsl(${(sum * 137) % 360} 42% 32%)`
}
