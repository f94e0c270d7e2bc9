/** Did it succeed? False for an error that only says no; every other error is thrown. */
export const succeeds = (answer: Promise<unknown>, isNo: (error: unknown) => boolean): Promise<boolean> =>
  answer.then(
    () => true,
    (error: unknown) => {
      if (isNo(error)) return false;
      throw error;
    },
  );
