/* Runs a program and, at the entry of one of its file calls, kills it or has the call fail.
 *
 *   stop_at WHICH NUMBER ERROR PROGRAM ARGUMENTS...
 *
 * WHICH is `changes`, the calls that may change a file, or `all`, every call that names or reads one. NUMBER counts them from 1, those of
 * the program's threads too; children of the program run on. ERROR is an errno, or 0 to kill the program. Ends with 99 if the program was
 * killed, else as the program does; with 98 if there was no such call, and the program's code was 0. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLED = 99, NO_CALL = 98, BROKEN = 97 };

static int changes(const struct __ptrace_syscall_info *call) {
    const __uint64_t *args = call->entry.args;
    switch (call->entry.nr) {
#ifdef SYS_open
    case SYS_open:
        return (args[1] & (O_CREAT | O_TRUNC | O_WRONLY | O_RDWR)) != 0;
    case SYS_rename:
    case SYS_link:
    case SYS_symlink:
    case SYS_unlink:
    case SYS_rmdir:
    case SYS_mkdir:
    case SYS_chmod:
#endif
    case SYS_renameat2:
#ifdef SYS_renameat
    case SYS_renameat:
#endif
    case SYS_linkat:
    case SYS_symlinkat:
    case SYS_unlinkat:
    case SYS_mkdirat:
    case SYS_fchmod:
    case SYS_fchmodat:
    case SYS_fchown:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_copy_file_range:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_flock:
        return 1;
    case SYS_openat:
        return (args[2] & (O_CREAT | O_TRUNC | O_WRONLY | O_RDWR)) != 0;
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
        return args[0] > 2;
    default:
        return 0;
    }
}

static int reads(const struct __ptrace_syscall_info *call) {
    switch (call->entry.nr) {
#ifdef SYS_open
    case SYS_open:
    case SYS_stat:
    case SYS_lstat:
    case SYS_access:
    case SYS_readlink:
#endif
    case SYS_openat:
    case SYS_newfstatat:
    case SYS_fstat:
    case SYS_statx:
    case SYS_faccessat:
    case SYS_readlinkat:
    case SYS_read:
    case SYS_pread64:
    case SYS_lseek:
    case SYS_getdents64:
    case SYS_close:
        return 1;
    default:
        return 0;
    }
}

static int set_answer(pid_t thread, int entry, int error) {
#if defined(__x86_64__)
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, 0, &registers))
        return -1;
    if (entry)
        registers.orig_rax = -1;
    else
        registers.rax = -error;
    return (int)ptrace(PTRACE_SETREGS, thread, 0, &registers);
#else
    (void)thread, (void)entry, (void)error;
    return -1;
#endif
}

int main(int count, char **words) {
    if (count < 5)
        return BROKEN;
    int all = strcmp(words[1], "all") == 0, error = atoi(words[3]), found = 0;
    long number = atol(words[2]), seen = 0;
    pid_t failing = 0, program = fork();
    if (program == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        execv(words[4], words + 4);
        _exit(BROKEN);
    }
    int status;
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
    if (waitpid(program, &status, 0) < 0 || ptrace(PTRACE_SETOPTIONS, program, 0, options)) {
        perror("stop_at: this system does not let a process be traced");
        return BROKEN;
    }
    int started = 0;
    ptrace(PTRACE_SYSCALL, program, 0, 0);
    for (;;) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0)
            return BROKEN;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread != program)
                continue;
            if (WIFSIGNALED(status))
                return found && !error && WTERMSIG(status) == SIGKILL ? KILLED : BROKEN;
            int code = WEXITSTATUS(status);
            return found || code ? code : NO_CALL;
        }
        int signal = 0, event = status >> 16;
        struct __ptrace_syscall_info call;
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            if (started && ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof call, &call) > 0) {
                if (call.op == PTRACE_SYSCALL_INFO_ENTRY && (changes(&call) || (all && reads(&call))) && ++seen == number) {
                    found = 1;
                    if (!error) {
                        kill(program, SIGKILL);
                        continue;
                    }
                    failing = thread;
                    if (set_answer(thread, 1, error))
                        return BROKEN;
                } else if (call.op == PTRACE_SYSCALL_INFO_EXIT && failing == thread) {
                    failing = 0;
                    if (set_answer(thread, 0, error))
                        return BROKEN;
                }
            }
        } else if (event == PTRACE_EVENT_EXEC) {
            started = 1;
        } else if (!event && WSTOPSIG(status) != SIGSTOP && WSTOPSIG(status) != SIGTRAP) {
            signal = WSTOPSIG(status);
        }
        ptrace(PTRACE_SYSCALL, thread, 0, signal);
    }
}
