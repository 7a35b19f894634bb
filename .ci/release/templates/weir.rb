class Weir < Formula
  desc "{{description}}"
  homepage "{{homepage}}"
  version "{{version}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{{url}}/{{file:darwin-arm64}}"
      sha256 "{{sha256:darwin-arm64}}"
    end
    on_intel do
      url "{{url}}/{{file:darwin-x64}}"
      sha256 "{{sha256:darwin-x64}}"
    end
  end

  on_linux do
    on_arm do
      url "{{url}}/{{file:linux-arm64}}"
      sha256 "{{sha256:linux-arm64}}"
    end
    on_intel do
      url "{{url}}/{{file:linux-x64}}"
      sha256 "{{sha256:linux-x64}}"
    end
  end

  def install
    bin.install "weir"
    man1.install Dir["man/man1/*"]
    bash_completion.install "completions/weir.bash" => "weir"
    zsh_completion.install "completions/_weir"
    fish_completion.install "completions/weir.fish"
  end

  test do
    assert_equal "weir #{version}", shell_output("#{bin}/weir --version").strip
  end
end
