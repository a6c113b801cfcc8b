/** How the ids of a wave's candidates begin. Sorted ids are in the order of making: round, then wave. */
export const candidateIdPrefix = ({
  round,
  wave,
}: {
  readonly round: number
  readonly wave: number
}): string => `${round}/${String(wave).padStart(2, '0')}/`
