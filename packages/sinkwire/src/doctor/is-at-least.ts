/** Whether a version is another one or newer, by the three numbers of both; a pre-release counts as its release. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [ours, theirs] = [version, oldest].map((text) => (text.match(/\d+/g) ?? []).slice(0, 3).map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (ours?.[i] ?? 0) - (theirs?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
