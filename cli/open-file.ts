import { spawn } from 'node:child_process';

/** Is somebody there, at a machine that shows pages? */
const hasScreen = (): boolean => {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.stdout.isTTY === true && (process.platform === 'darwin' || Boolean(DISPLAY ?? WAYLAND_DISPLAY));
};

/** Opens a file or an address as a person would; false where there is no screen, or nothing that opens it. */
export async function opened(place: string): Promise<boolean> {
  if (!hasScreen()) return false;
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open';
  return new Promise((resolve) => {
    const opener = spawn(command, [place], { stdio: 'ignore', detached: true });
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
}
