package io.spindrift.apps.rpc;

import io.spindrift.framework.rpc.CliArgument;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The bash completion script: `source <(rpc --completion)`.
final class Completion {
    private Completion() {}

    static String script(CommandTable commands) {
        List<String> first = new ArrayList<>(GlobalOptions.flags(true));
        first.addAll(GlobalOptions.flags(false));
        StringBuilder methods = new StringBuilder();
        for (Command command : commands.all()) {
            first.add(command.method().name());
            methods.append("        ").append(command.method().name()).append(") words=\"").append(words(command))
                    .append("\" ;;\n");
        }
        return """
                # bash completion for rpc
                _spindrift_rpc() {
                    local method= words= i
                    for ((i = 1; i < COMP_CWORD; i++)); do
                        case "${COMP_WORDS[i]}" in
                            %s) ((i++)) ;;
                            -*) ;;
                            *) method="${COMP_WORDS[i]}"; break ;;
                        esac
                    done
                    case "$method" in
                        "") words="%s" ;;
                %s    esac
                    COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
                }
                complete -o default -F _spindrift_rpc rpc
                """.formatted(String.join("|", GlobalOptions.flags(true)), String.join(" ", first), methods);
    }

    private static String words(Command command) {
        return CliArgument.of(command.method()).stream()
                .flatMap(argument -> Stream.concat(argument.flags().stream(),
                        argument.choices().stream()))
                .collect(Collectors.joining(" "));
    }
}
